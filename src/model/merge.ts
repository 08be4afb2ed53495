/** How an activity of a flowchart deals with the tokens that its inbound connections bring. */
export const MERGE_MODES = [
  /** Once, when every forward connection has brought a token or no longer can. */
  'converge',
  /** Once, when every forward connection has brought a token, whatever that takes. */
  'merge',
  /** Once, when every connection has, also those that lead back. */
  'convergeStrict',
  /** For the first; whoever could only come here is cancelled, and later ones are consumed. */
  'race',
  /** For the first; nobody is cancelled, and later ones are consumed. */
  'stream',
  /** For each. */
  'cascade',
] as const;

export type MergeMode = (typeof MERGE_MODES)[number];
