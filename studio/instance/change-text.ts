/**
 * What happened, in words. Each kind of change has a sentence of its own; the headline of a commit
 * is the one of them that people would tell, and who goes on from there.
 */
import type { Commit } from '../api/shapes.ts';
import { spanText } from '../parts/moment.tsx';
import { waitText } from './wait-text.ts';
import { type NewToken, type TaskEntry, type Told, told } from './told.ts';

/** Changes name tokens by number; people know their nodes. */
export type NodeOf = (token: number) => string;

export type Tone = 'act' | 'bad' | 'ok' | 'plain';

export interface CommitText {
  readonly headline: string;
  /** Where it went on, if anywhere: “then ship, invoice”. */
  readonly next: string;
  readonly tone: Tone;
  /** Who did it, where somebody did. */
  readonly by: string | null;
}

/** Those that tell most come first; what is not here is never a headline of its own. */
const TELLING: readonly Told['did'][] = [
  ...(['act', 'alter-task', 'start-instance', 'finish', 'start-saga', 'stall'] as const),
  ...(['restore', 'migrate', 'suspend', 'resume'] as const),
  ...(['retry-token', 'recover-token', 'settle-undo', 'wake-token', 'hasten-token'] as const),
  ...(['end-token', 'park-token', 'activate-token', 'birth-token', 'write', 'rest-token'] as const),
  ...(['tag', 'set-output', 'post', 'send', 'unstall', 'enter-token', 'defer-token'] as const),
];
const RANKS = new Map<string, number>(TELLING.map((did, rank) => [did, rank]));

/** What goes wrong is told before anything that the engine does about it. */
const RANK_WRONG = 2.5;
const RANK_NONE = 1_000;
const THEN_MAX = 4;

export function commitText({ at, changes }: Commit, nodeOf: NodeOf): CommitText {
  let best: Told | undefined;
  let rank = Number.POSITIVE_INFINITY;
  const all = changes.map(told);
  for (const change of all) {
    const mine = rankOf(change, nodeOf);
    if (mine >= rank) continue;
    best = change;
    rank = mine;
  }
  if (best === undefined) return { headline: 'nothing changed', next: '', tone: 'plain', by: null };
  const whom = best.did === 'act' && AIMED.has(best.act.verb) ? aimText(all, nodeOf) : '';
  const ending = all.find(({ did }) => did === 'finish');
  const tail = ending === undefined || ending === best ? '' : `; ${changeText(ending, nodeOf, at)}`;
  return {
    headline: changeText(best, nodeOf, at) + whom + tail,
    next: ending === undefined && best.did !== 'start-instance' ? thenText(all) : '',
    tone: toneOf(best, ending),
    by: byOf(best),
  };
}

/** What somebody did to one step rather than to the whole. */
const AIMED: ReadonlySet<string> = new Set(['retry', 'skip', 'wake', 'move', 'set', 'revive']);

function aimText(changes: readonly Told[], nodeOf: NodeOf): string {
  const names = new Set<string>();
  for (const change of changes) {
    if (change.did === 'wake-token' || change.did === 'hasten-token')
      names.add(nodeOf(change.token));
    if (change.did === 'end-token' && change.why === 'cancelled') names.add(nodeOf(change.token));
    if (change.did === 'write' && change.space === 'vars') names.add(change.name);
  }
  const shown = [...names].filter((name) => name !== '' && !isHidden(name)).slice(0, THEN_MAX);
  return shown.length === 0 ? '' : ` (${shown.join(', ')})`;
}

function rankOf(change: Told, nodeOf: NodeOf): number {
  if (isWrong(change)) return RANK_WRONG;
  const rank = RANKS.get(change.did) ?? RANK_NONE;
  // What the engine put in between is told only where there is nothing else.
  return isHidden(nodeIn(change, nodeOf)) ? rank + RANK_NONE / 2 : rank;
}

function isWrong(change: Told): boolean {
  if (change.did === 'end-token') return change.why === 'failed';
  return change.did === 'park-token' && change.wait.on === 'incident';
}

function nodeIn(change: Told, nodeOf: NodeOf): string {
  if (change.did === 'birth-token') return change.token.node;
  return 'token' in change ? nodeOf(change.token) : '';
}

function isHidden(node: string): boolean {
  return /(^|\/):|#/.test(node);
}

function byOf(change: Told): string | null {
  if (change.did === 'act') return change.act.by ?? 'somebody';
  const isPerson = change.did === 'alter-task' && !change.entry.by.startsWith('system:');
  return isPerson ? change.entry.by : null;
}

function toneOf(best: Told, ending: Told | undefined): Tone {
  if (byOf(best) !== null) return 'act';
  const as = ending?.did === 'finish' ? ending.as : null;
  const isBad = as === 'failed' || isWrong(best) || WRONG.has(best.did);
  return isBad ? 'bad' : as === 'completed' ? 'ok' : 'plain';
}

const WRONG: ReadonlySet<string> = new Set([
  ...['retry-token', 'recover-token', 'stall', 'start-saga'],
]);

function thenText(changes: readonly Told[]): string {
  const born = changes.flatMap((change) => (change.did === 'birth-token' ? [change.token] : []));
  const ended = new Set(
    changes.flatMap((change) => (change.did === 'end-token' ? [change.token] : [])),
  );
  const counts = new Map<string, number>();
  for (const { id, node } of born) {
    if (!ended.has(id) && !isHidden(node)) counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  const names = [...counts].map(([node, count]) => (count === 1 ? node : `${count} × ${node}`));
  const more = names.length > THEN_MAX ? ` and ${names.length - THEN_MAX} more` : '';
  return names.length === 0 ? '' : `then ${names.slice(0, THEN_MAX).join(', ')}${more}`;
}

/** One change as a sentence; `at` is the moment of its commit. */
export function changeText(change: Told, nodeOf: NodeOf, at: number): string {
  const name = (token: number): string => nodeOf(token) || `token ${token}`;
  switch (change.did) {
    case 'birth-token':
      return bornText(change.token);
    case 'claim-token':
      return `${name(change.token)} was taken by ${change.worker}`;
    case 'activate-token':
      return `it is the turn of ${name(change.token)}`;
    case 'enter-token':
      return `${name(change.token)} goes on`;
    case 'park-token': {
      const waits = `waits ${waitText(change.wait)}`;
      const failed = change.error === undefined ? '' : `failed: ${change.error.message}; it `;
      return `${name(change.token)} ${failed}${waits}`;
    }
    case 'wake-token':
      return wakeText(name(change.token), change.wake.reason, change.wake.arm);
    case 'alter-task':
      return entryText(change.entry, name(change.token));
    case 'rest-token':
      return `${name(change.token)} rests until its next turn`;
    case 'recover-token':
      return `the worker of ${name(change.token)} was lost: ${change.error.message}`;
    case 'retry-token': {
      const pause = change.availableAt - at;
      const when = pause <= 0 ? 'at once' : `in ${spanText(pause)}`;
      return `${name(change.token)} failed: ${change.error.message}; tried again ${when}`;
    }
    case 'end-token':
      return endText(change, name(change.token));
    case 'defer-token':
      return `the time of ${name(change.token)} comes later`;
    case 'hasten-token':
      return `${name(change.token)} need not wait any longer`;
    case 'place-token':
      return `${name(change.token)} is at ${change.node ?? 'the same node'}`;
    case 'drop-token':
      return `${name(change.token)} is no longer part of it`;
    default:
      return wholeText(change);
  }
}

function bornText({ node, status }: NewToken): string {
  return `${node} ${status === 'created' ? 'has its place' : 'begins'}`;
}

/** What is not about one token. */
function wholeText(change: Exclude<Told, { readonly token: unknown }>): string {
  switch (change.did) {
    case 'start-instance':
      return `${change.instance.flow} version ${change.instance.flowVersion} started`;
    case 'act':
      return actText(change.act);
    case 'suspend':
      return change.halt === true ? 'suspended with its flow' : 'suspended';
    case 'resume':
      return change.halt === true ? 'resumed with its flow' : 'resumed';
    case 'migrate':
      return `goes on by version ${change.flowVersion}`;
    case 'restore':
      return 'is once more as it was before';
    case 'stall':
      return 'stalled: a join waits for somebody who cannot come any more';
    case 'unstall':
      return 'no longer stalled';
    case 'finish': {
      const why = change.fault === undefined ? '' : `: ${change.fault.message}`;
      return `${change.as}${change.outcome === 'compensated' ? ', and undone' : ''}${why}`;
    }
    case 'set-output':
      return 'has an output';
    case 'tag':
      return change.value === null
        ? `no longer found by ${change.name}`
        : `found by ${change.name}`;
    case 'post':
      return 'has something for another instance';
    case 'send':
      return 'sends an event';
    default:
      return insideText(change);
  }
}

type InsideDid = 'write' | `${string}-scope` | `${string}-latch` | `${string}-saga`;

/** What is about regions, joins and undoing. */
function insideText(
  change: Extract<Told, { readonly did: InsideDid | `${string}-undo` | 'hand-undos' }>,
): string {
  switch (change.did) {
    case 'open-scope':
      return `a region of ${change.scope.node ?? 'the whole'} opens`;
    case 'return-scope':
      return 'a region is done';
    case 'close-scope':
      return 'a region ends';
    case 'drain-scope':
      return 'nobody wants the rest of a region';
    case 'release-scope':
      return 'a region is let go of';
    case 'write':
      return change.space === 'vars' ? `${change.name} is set` : `${change.name} has a result`;
    case 'open-latch':
      return `${change.latch.node} waits for the other branches`;
    case 'fire-latch':
      return `all branches are at ${change.latch.node}`;
    case 'drop-latch':
      return `${change.latch.node} is done joining`;
    case 'record-undo':
      return `${change.undo.node} can be undone`;
    case 'settle-undo':
      return change.as === 'completed'
        ? 'a step was undone'
        : `a step could not be undone: ${change.fault?.message ?? 'no reason told'}`;
    case 'hand-undos':
      return 'what can be undone belongs to what is around it';
    case 'place-scope':
      return `a region belongs to ${change.node}`;
    case 'place-undo':
      return `an undo belongs to ${change.node}`;
    case 'start-saga':
      return `undoing begins${change.fault === undefined ? '' : `: ${change.fault.message}`}`;
    case 'end-saga':
      return 'undoing is over';
    default:
      // A newer engine may tell what this studio does not know.
      return (change as { readonly did: string }).did.replaceAll('-', ' ');
  }
}

const WAKES: Readonly<Record<string, string>> = {
  event: 'has its message',
  timeout: 'has reached its time',
  resume: 'goes on',
  retry: 'is tried again',
};

function wakeText(node: string, reason: string, arm: string | undefined): string {
  return `${node} ${WAKES[reason] ?? 'goes on'}${arm === undefined ? '' : ` (${arm})`}`;
}

function endText(
  { why, fault, outcomes }: Extract<Told, { readonly did: 'end-token' }>,
  node: string,
): string {
  switch (why) {
    case 'done':
      return `${node} is done${outcomes === undefined ? '' : `: ${outcomes.join(', ')}`}`;
    case 'joined':
      return `${node} joined the others`;
    case 'failed':
      return `${node} failed: ${fault?.message ?? 'no reason told'}`;
    default:
      return `${node} was canceled`;
  }
}

const DECISIONS: Readonly<Record<string, string>> = {
  approve: 'approved',
  reject: 'rejected',
  revise: 'sent back',
};

const ENTRIES: Readonly<Record<string, string>> = {
  claim: 'claimed',
  unclaim: 'gave back',
  comment: 'commented on',
  recall: 'recalled',
  attach: 'attached something to',
  update: 'altered',
  complete: 'completed',
  resubmit: 'submitted once more',
};

function entryText({ by, did, to, decision, comment, override }: TaskEntry, node: string): string {
  const said = comment === undefined ? '' : `: ${comment}`;
  const overriding = override === true ? ', without a say in it' : '';
  if (did === 'timeout') return `the time of ${node} is over${said}`;
  if (did === 'delegate' || did === 'reassign') return `${by} gave ${node} to ${to}${said}`;
  const verb = did === 'decide' ? (DECISIONS[decision ?? ''] ?? 'decided') : (ENTRIES[did] ?? did);
  const who = by.startsWith('system:') ? 'nobody was asked, and that' : by;
  return `${who} ${verb} ${node}${overriding}${said}`;
}

const ACTS: Readonly<Record<string, string>> = {
  cancel: 'canceled it',
  suspend: 'suspended it',
  resume: 'resumed it',
  retry: 'had it tried again',
  skip: 'skipped a step',
  revive: 'revived it',
  wake: 'woke it',
  set: 'set a variable',
  move: 'moved a token',
  send: 'sent it a message',
  rerun: 'had it run again',
  migrate: 'moved it to another version',
};

function actText(act: Extract<Told, { readonly did: 'act' }>['act']): string {
  const { verb, by, why, bulk } = act;
  const many = bulk === undefined ? '' : ', with others';
  return `${by ?? 'somebody'} ${ACTS[verb] ?? verb}${many}${why === undefined ? '' : `: ${why}`}`;
}
