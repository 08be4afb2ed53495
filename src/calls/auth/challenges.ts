/** The header `www-authenticate`: one or more challenges, each a scheme and its parameters. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = String.raw`[!#$%&'*+\-.^_\x60|~0-9A-Za-z]+`;
const GAP = /[\s,]*/y;
const PARAMETER = new RegExp(
  String.raw`(${TOKEN})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|(${TOKEN}))(?=[ \t]*(?:,|$))`,
  'y',
);
/** A scheme, and what some have in the place of parameters. */
const SCHEME = new RegExp(
  String.raw`(${TOKEN})(?:[ \t]+[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$)))?`,
  'y',
);

/** As many as can be read; what comes after something unreadable is left out. */
export function parseChallenges(header: string): readonly Challenge[] {
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  for (let at = 0; at < header.length; ) {
    at = skip(header, at);
    const parameter = matchAt(PARAMETER, header, at);
    const last = found.at(-1);
    if (parameter !== null && last !== undefined) {
      const [whole, name = '', quoted, token = ''] = parameter;
      last.parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? token);
      at += whole.length;
      continue;
    }
    const scheme = matchAt(SCHEME, header, at);
    if (scheme === null) break;
    found.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters: new Map() });
    at += scheme[0].length;
  }
  return found;
}

function skip(text: string, at: number): number {
  return at + (matchAt(GAP, text, at)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
