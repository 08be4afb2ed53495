/**
 * Addresses: what is looked at stands in the URL, so that it can be kept, shared and gone back to.
 * A screen reads its path and its query here, and says where to go by a link or by `go`.
 */
import {
  type ComponentProps,
  type MouseEvent,
  useCallback,
  useMemo,
  useSyncExternalStore,
} from 'react';

const MOVED = 'perdure:moved';

export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const here = location.pathname + location.search;
  if (to === here) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  dispatchEvent(new Event(MOVED));
}

function listen(hear: () => void): () => void {
  addEventListener('popstate', hear);
  addEventListener(MOVED, hear);
  return () => {
    removeEventListener('popstate', hear);
    removeEventListener(MOVED, hear);
  };
}

function here(): string {
  return location.pathname + location.search;
}

/** The parts of the path, as they were before they were made fit for a URL. */
export function usePath(): readonly string[] {
  const address = useSyncExternalStore(listen, here);
  return useMemo(() => {
    const [path = ''] = address.split('?');
    return path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded);
  }, [address]);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export type QueryPatch = Readonly<Record<string, string | readonly string[] | null>>;

/** What is said behind the question mark, and how to say something else there. */
export function useQuery(): readonly [
  URLSearchParams,
  (patch: QueryPatch, options?: { readonly replace?: boolean }) => void,
] {
  const address = useSyncExternalStore(listen, here);
  const query = useMemo(() => new URLSearchParams(address.split('?')[1] ?? ''), [address]);
  const change = useCallback((patch: QueryPatch, { replace = true } = {}) => {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(patch)) {
      next.delete(name);
      if (value === null || value === '') continue;
      for (const one of typeof value === 'string' ? [value] : value) next.append(name, one);
    }
    go(next.size === 0 ? location.pathname : `${location.pathname}?${next}`, { replace });
  }, []);
  return [query, change];
}

/** A path of the studio: ids may be any text. */
export function to(...parts: readonly (string | number)[]): string {
  return `/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

export function Link({ href = '/', onClick, ...rest }: ComponentProps<'a'>): React.ReactNode {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    go(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
