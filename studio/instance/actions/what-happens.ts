/** A preview in words: what an action will change, read off its changes, and before and after. */
import type { Change, Instance, Json, JsonObject, Preview, Token } from '../../api/shapes.ts';

/** A list for people: what is more is counted. */
const TOLD_MAX = 12;
const VALUE_CHARS_MAX = 80;

export function whatHappens(preview: Preview): readonly string[] {
  const { before, after, changes } = preview;
  const where = placesOf(preview);
  const told = changes.map((change) => sentence(change, where)).filter((text) => text !== null);
  const status =
    before === null || before.status === after.status
      ? []
      : [`status ${before.status} → ${after.status}`];
  const copy = before === null ? ['a new instance is made'] : [];
  const all = [...new Set([...copy, ...status, ...told])];
  if (all.length === 0) return ['nothing changes now'];
  if (all.length <= TOLD_MAX) return all;
  return [...all.slice(0, TOLD_MAX), `and ${all.length - TOLD_MAX} more changes`];
}

type Places = ReadonlyMap<number, string>;

/** Where tokens are: before, after, or where they are born on the way. */
function placesOf({ before, after, changes }: Preview): Places {
  const places = new Map<number, string>();
  for (const { id, node } of [...after.tokens, ...(before?.tokens ?? [])]) places.set(id, node);
  for (const { did, token } of changes) {
    if (did === 'birth-token') places.set((token as Token).id, (token as Token).node);
  }
  return places;
}

function sentence(change: Change, where: Places): string | null {
  const token = typeof change.token === 'number' ? change.token : 0;
  const node = where.get(token) ?? '?';
  switch (change.did) {
    case 'wake-token':
    case 'hasten-token':
      return `token ${token} goes on at ${node}`;
    case 'birth-token':
      return bornText(change.token as Token);
    case 'end-token':
      return endText(change, token, node);
    case 'place-token':
      return typeof change['node'] === 'string'
        ? `token ${token} moves from ${node} to ${change['node']}`
        : null;
    case 'drop-token':
      return `token ${token} at ${node} is dropped`;
    case 'park-token':
      return `token ${token} waits at ${node}`;
    case 'write':
      return writeText(change);
    default:
      return instanceText(change);
  }
}

function bornText({ id, node, mode }: Token): string {
  return mode === 'compensation' ? `undoes ${node}` : `token ${id} comes to ${node}`;
}

function endText(change: Change, token: number, node: string): string {
  const words: Readonly<Record<string, string>> = {
    done: 'is done',
    joined: 'joins the others',
    failed: 'fails',
    cancelled: 'is ended',
  };
  return `token ${token} at ${node} ${words[String(change['why'])] ?? 'ends'}`;
}

function writeText({ space, name, value }: Change): string | null {
  const text = shortText(value as Json);
  if (space === 'vars') return `variable ${String(name)} becomes ${text}`;
  return space === 'results' ? `result of ${String(name)} is ${text}` : null;
}

function instanceText(change: Change): string | null {
  switch (change.did) {
    case 'suspend':
      return 'it stands still until it is resumed';
    case 'resume':
      return 'it goes on';
    case 'migrate':
      return `it goes on by version ${String(change['flowVersion'])}`;
    case 'restore':
      return restoreText(change['as'] as { readonly tokens?: readonly Token[] });
    case 'start-saga':
      return 'what was done is undone, the newest first';
    case 'open-scope':
      return scopeText(change.scope as { readonly node: string | null });
    case 'post':
      return 'another instance is told';
    case 'send':
      return 'a letter goes out';
    case 'finish':
      return `it ends: ${String(change['as'])}`;
    default:
      return null;
  }
}

function scopeText({ node }: { readonly node: string | null }): string | null {
  return node === null ? null : `a region of ${node} begins`;
}

function restoreText({ tokens = [] }: { readonly tokens?: readonly Token[] }): string {
  const nodes = [...new Set(tokens.map(({ node }) => node))].join(', ');
  return `it goes back to when tokens were at ${nodes === '' ? 'no node' : nodes}`;
}

export function shortText(value: Json): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;
}

export interface Contrast {
  readonly what: string;
  readonly was: string;
  readonly is: string;
}

/** The same, as rows to compare: only what is otherwise. */
export function contrasts({ before, after }: Preview): readonly Contrast[] {
  const rows: Contrast[] = [
    { what: 'Status', was: before?.status ?? '–', is: after.status },
    { what: 'Version', was: versionText(before), is: versionText(after) },
    { what: 'Tokens at', was: tokensText(before), is: tokensText(after) },
    ...variableRows(before, after),
  ];
  return rows.filter(({ was, is }) => was !== is);
}

function versionText(instance: Instance | null): string {
  return instance === null ? '–' : `${instance.flow}@${instance.flowVersion}`;
}

function tokensText(instance: Instance | null): string {
  if (instance === null) return '–';
  const counts = new Map<string, number>();
  for (const { node, status, wait } of instance.tokens) {
    const name = `${node} (${wait?.on === 'incident' ? 'failed' : status})`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`));
  const more = names.length > TOLD_MAX ? `, and ${names.length - TOLD_MAX} more` : '';
  return names.length === 0 ? 'none' : names.slice(0, TOLD_MAX).join(', ') + more;
}

function variableRows(before: Instance | null, after: Instance): readonly Contrast[] {
  if (before === null) return [];
  const old = new Map(before.scopes.map(({ id, vars }) => [id, vars]));
  return after.scopes
    .flatMap(({ id, parent, vars }) => {
      return changedRows(parent === null ? '' : ` (scope ${id})`, old.get(id) ?? {}, vars);
    })
    .slice(0, TOLD_MAX);
}

function changedRows(where: string, was: JsonObject, is: JsonObject): readonly Contrast[] {
  if (was === is) return [];
  return Object.entries(is).map(([name, value]) => ({
    what: name + where,
    was: was[name] === undefined ? '–' : shortText(was[name]),
    is: shortText(value),
  }));
}
