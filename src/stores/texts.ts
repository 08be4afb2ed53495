/** As databases order texts, by bytes: the units of JavaScript's order some otherwise. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
