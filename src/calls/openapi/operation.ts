/**
 * An operation as a call needs it, the same whatever version of OpenAPI describes it. What reads it
 * from a document is in `openapi3.ts` and `swagger2.ts`, what fills it in `filling.ts`.
 */

export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** The server's address and the path after it, with names in braces. */
  readonly server: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: OperationBody;
  /** What to ask for as an answer, if the document says what there is. */
  readonly accept?: string;
}

export type ParameterPlace = 'path' | 'query' | 'querystring' | 'header' | 'cookie';

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly writing: Writing;
}

/** How a value becomes text. */
export interface Writing {
  readonly style: 'simple' | 'label' | 'matrix' | 'form' | 'deepObject' | 'cookie';
  /** Whether each part of a list or an object stands for itself. */
  readonly explode: boolean;
  /** What stands between parts that do not. */
  readonly separator: string;
  /** Characters that have a meaning in URIs stay as they are. */
  readonly reserved: boolean;
  /** Written as a value of this media type, in place of all that. */
  readonly content?: string;
}

export interface OperationBody {
  readonly required: boolean;
  /** What the document calls it; only Swagger 2.0 does. */
  readonly name?: string;
  /** In the order of the document, one or more. */
  readonly media: readonly BodyMedia[];
  /** Fields that must be there, and no others; undefined if the document leaves that open. */
  readonly form?: { readonly required: readonly string[]; readonly known: readonly string[] };
}

export interface BodyMedia {
  readonly type: string;
  /** How fields of a form are written, where the document says so. */
  readonly fields: Readonly<Record<string, FieldWriting>>;
}

export interface FieldWriting {
  /** Bytes, given as base64. */
  readonly isBinary: boolean;
  readonly contentType?: string;
  readonly writing?: Writing;
}
