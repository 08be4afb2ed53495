/**
 * The start token: what tells this page from other pages of the same machine. It comes once, in the
 * fragment of the address that the terminal prints, which no server and no log ever sees, and is
 * kept for this origin. It leaves in a header and in nothing else.
 */
const KEPT = 'perdure.token';

/** Takes it out of the address, so that an address that is shared or kept has none. */
export function takeToken(): void {
  const found = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (found === undefined) return;
  localStorage.setItem(KEPT, found);
  history.replaceState(null, '', location.pathname + location.search);
}

export function token(): string {
  return localStorage.getItem(KEPT) ?? '';
}
