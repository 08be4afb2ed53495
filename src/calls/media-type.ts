/** What a `content-type` says of a body, as far as it decides how the body is read and written. */

export interface MediaType {
  /** In lower case and without parameters; empty if none is named. */
  readonly type: string;
  readonly charset: string | null;
}

export function readMediaType(header: string | undefined): MediaType {
  const [type = '', ...parameters] = (header ?? '').split(';');
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(one)?.[1]);
  return {
    type: type.trim().toLowerCase(),
    charset: charset.find((one) => one !== undefined)?.toLowerCase() ?? null,
  };
}

export function isJsonType(type: string): boolean {
  return /^(application|text)\/json$|\+json$/.test(type);
}

/** What is handed on as a text. YAML is not parsed: which of its dialects it is in, nobody says. */
export function isTextType(type: string): boolean {
  return type.startsWith('text/') || /^application\/((x-|vnd\.)?yaml$|.*\+yaml$)/.test(type);
}

/** What no text can be: where JSON holds it, it is base64. */
export function isBinaryType(type: string): boolean {
  return /^(image|audio|video|font)\/(?!.*\+xml$)|^application\/(octet-stream|pdf|zip|gzip)$/.test(
    type,
  );
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';
export const BYTES_TYPE = 'application/octet-stream';
