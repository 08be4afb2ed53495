/**
 * History in words. A commit is a list of facts about tokens, which are numbers; a narrator has
 * read everything before it and so knows at which node each of them is, since when, and which
 * attempt it is. What is only bookkeeping is left out, and so is what no author wrote.
 */
import { DONE, outcomeIn } from '../drawing/outcomes.ts';
import type { Change, Token } from '../index.ts';
import { type Happening, withoutEchoes } from './happening.ts';
import { type Naming, shownName } from './naming.ts';
import { entryText } from './people-words.ts';
import { spanText } from './spans.ts';
import { plainLine } from './plain.ts';
import { brief, CHART, faultText, isWritten, passText, verbText, waitText } from './telling.ts';

/** A commit, as far as it is told. */
export interface Told {
  readonly at: number;
  readonly changes: readonly Change[];
}

interface Known {
  readonly node: string;
  readonly scope: number;
  readonly since: number;
  readonly attempts: number;
  readonly seq: number | null;
  readonly isUndo: boolean;
  /** What it waited for last. */
  readonly wait?: string;
  /** How it ends, if not as usual. */
  readonly end?: 'timed out' | 'woken';
}

type Telling = Omit<Partial<Happening>, 'state' | 'text'> & Pick<Happening, 'state' | 'text'>;

type Born = Extract<Change, { did: 'birth-token' }>['token'];

/** After the name of a fork: where its branches meet. */
const JOIN = '/:join';

export class Narrator {
  readonly #tokens = new Map<number, Known>();
  /** The pass of each region that is repeated. */
  readonly #passes = new Map<number, number>();
  /** Since when each fork is out, by its scope and node. */
  readonly #forks = new Map<string, number>();
  /** Nodes whose undo was given up. */
  #lost: string[] = [];
  #startedAt = 0;
  /** It is a flowchart: known from its first token on, which lies around all others. */
  #inChart = false;
  /** Of the commit that is told: the tokens born in it, and what somebody did. */
  #born: readonly Born[] = [];
  #verb: string | null = null;
  /** By region: the token that waits for it. */
  readonly #owners = new Map<number, number>();
  /** What the nodes of a workflow are called; null if it is none. */
  readonly #naming: Naming | null;

  constructor(naming: Naming | null = null) {
    this.#naming = naming;
  }

  tell({ at, changes }: Told): readonly Happening[] {
    this.#born = changes.flatMap((change) => (change.did === 'birth-token' ? [change.token] : []));
    this.#verb = null;
    const told = changes.flatMap((change) => {
      return this.#one(change, at).map((telling) => ({
        node: null,
        token: null,
        tookMs: null,
        place: null,
        ...telling,
      }));
    });
    return this.#naming === null ? told : withoutEchoes(told);
  }

  #one(change: Change, at: number): readonly Telling[] {
    switch (change.did) {
      case 'birth-token':
        return this.#birth(change.token, at);
      case 'activate-token':
        return this.#activate(change.token, at);
      case 'claim-token':
      case 'park-token':
      case 'wake-token':
      case 'retry-token':
      case 'recover-token':
      case 'end-token':
      case 'hasten-token':
      case 'place-token':
      case 'alter-task':
        return this.#token(change, at);
      default:
        return this.#instance(change, at);
    }
  }

  #birth(born: Born, at: number): readonly Telling[] {
    const { id, node, scope, seq = null, status, mode, handler, wait } = born;
    const isUndo = mode === 'compensation';
    if (node === CHART) this.#inChart = true;
    const waits = wait ? { wait: wait.on } : {};
    this.#tokens.set(id, { node, scope, since: at, attempts: 0, seq, isUndo, ...waits });
    // A step in line has not begun, and what the kernel passes in a moment says so when it ends.
    if (status === 'created' || (handler ?? null) === null || wait !== undefined) return [];
    return this.#of(id, 'begun', isUndo ? 'is being undone' : 'begins');
  }

  #activate(id: number, at: number): readonly Telling[] {
    this.#learn(id, { since: at });
    return this.#of(id, 'begun', 'begins');
  }

  #token(change: Extract<Change, { token: number }>, at: number): readonly Telling[] {
    const id = change.token;
    switch (change.did) {
      case 'park-token':
        return this.#park(change, at);
      case 'wake-token':
        return this.#wake(change);
      case 'retry-token': {
        this.#failed(id);
        const when =
          change.availableAt > at ? `again in ${spanText(change.availableAt - at)}` : 'again';
        return this.#of(id, 'failed', `failed: ${faultText(change.error)}; ${when}`);
      }
      case 'recover-token':
        this.#failed(id);
        return this.#of(id, 'failed', `was left by its worker: ${faultText(change.error)}`);
      case 'end-token': {
        const told = this.#end(change, at);
        this.#tokens.delete(id);
        return told;
      }
      case 'place-token':
        // By the other version it stands at a node of another name.
        if (change.node !== undefined) this.#learn(id, { node: change.node });
        return [];
      case 'hasten-token':
        return this.#of(id, 'goes on', 'need not wait any longer');
      case 'alter-task':
        return this.#of(id, 'waits', entryText(change.entry));
      default:
        return [];
    }
  }

  #park(change: Extract<Change, { did: 'park-token' }>, at: number): readonly Telling[] {
    const { token, wait, wakeAt, error } = change;
    if (error !== undefined) this.#failed(token);
    this.#learn(token, { wait: wait.on });
    const text = waitText({ wait, wakeAt: wakeAt ?? null, lastError: error ?? null }, at);
    if (text === undefined) return [];
    return this.#of(token, wait.on === 'incident' ? 'failed' : 'waits', text);
  }

  #wake(change: Extract<Change, { did: 'wake-token' }>): readonly Telling[] {
    const { token, wake, enter } = change;
    const { reason, arm } = wake;
    if (reason === 'retry') return this.#of(token, 'goes on', 'is tried again');
    if (reason === 'timeout' && arm === undefined) return this.#wakeByTime(token, enter === true);
    if (reason !== 'event' && reason !== 'timeout') return [];
    return this.#of(token, 'goes on', `has ${arm ?? 'its message'}`);
  }

  /** For one that sleeps that is as it was meant to be; for others it is all that came. */
  #wakeByTime(token: number, isLeft: boolean): readonly Telling[] {
    const waited = this.#tokens.get(token)?.wait;
    if (waited === 'message' && !isLeft) return this.#of(token, 'goes on', 'nothing came in time');
    if (waited === 'message') this.#learn(token, { end: 'timed out' });
    else if (this.#verb === 'wake') this.#learn(token, { end: 'woken' });
    return [];
  }

  #end(change: Extract<Change, { did: 'end-token' }>, at: number): readonly Telling[] {
    const { token, why, fault } = change;
    const known = this.#tokens.get(token);
    if (known === undefined) return [];
    const more = { tookMs: at - known.since };
    switch (why) {
      case 'done':
        if (this.#isFork(known)) return this.#fork(known);
        return this.#of(
          token,
          known.end === 'timed out' ? 'stopped' : 'done',
          this.#isSkipped(change)
            ? 'skipped'
            : `${this.#how(known)}${this.#outcome(known, change.outcomes)}`,
          more,
        );
      case 'joined':
        return this.#join(known, at);
      case 'failed': {
        const text = known.isUndo ? 'could not be undone' : 'failed';
        const reason = fault === undefined ? '' : `: ${faultText(fault)}`;
        return this.#of(token, 'failed', `${text}${reason}`, more);
      }
      case 'cancelled':
        return this.#of(token, 'stopped', 'stopped', more);
      default:
        return [];
    }
  }

  /** A task of a workflow whose condition did not hold. */
  #isSkipped({ outcomes }: Extract<Change, { did: 'end-token' }>): boolean {
    return this.#naming !== null && outcomes?.includes('skipped') === true;
  }

  #how({ isUndo, attempts, end }: Known): string {
    if (this.#verb === 'skip') {
      // What else ends in this commit is what comes after it.
      this.#verb = null;
      return 'skipped';
    }
    if (end !== undefined) return end;
    return `${isUndo ? 'undone' : 'done'}${attempts === 0 ? '' : ` at attempt ${attempts + 1}`}`;
  }

  /** What an activity ended with, or by which connections others were born. */
  #outcome({ node, scope }: Known, ended: readonly string[] | undefined): string {
    if (ended !== undefined)
      return ended.length === 0 ? ': nothing' : `: ${plainLine(ended.join(', '))}`;
    if (!this.#inChart) return '';
    const outcomes = this.#born.flatMap(({ scope: where, via, node: to }) => {
      const outcome = where === scope && via ? outcomeIn(via, node, to) : undefined;
      return outcome === undefined || outcome === DONE ? [] : [outcome];
    });
    return outcomes.length === 0 ? '' : `: ${[...new Set(outcomes)].join(', ')}`;
  }

  /** It ends when it has sent its branches out, and is done when they have met again. */
  #isFork({ node, scope }: Known): boolean {
    const sent = this.#born.filter((born) => {
      return born.scope === scope && born.via?.startsWith(`${node}->`) === true;
    });
    return sent.length > 1 && isWritten(node, this.#inChart);
  }

  #fork({ node, scope, since }: Known): readonly Telling[] {
    this.#forks.set(`${scope}/${node}`, since);
    return [{ node, state: 'begun', text: 'begins', place: this.#passes.get(scope) ?? null }];
  }

  /** All that meet there end by it; the first one says so. */
  #join({ node: join, scope }: Known, at: number): readonly Telling[] {
    const node = join.endsWith(JOIN) ? join.slice(0, -JOIN.length) : join;
    const since = this.#forks.get(`${scope}/${node}`);
    if (since === undefined) return [];
    this.#forks.delete(`${scope}/${node}`);
    const place = this.#passes.get(scope) ?? null;
    return [{ node, state: 'done', text: 'done', tookMs: at - since, place }];
  }

  #instance(change: Change, at: number): readonly Telling[] {
    switch (change.did) {
      case 'start-instance': {
        this.#startedAt = at;
        const { flow, flowVersion, key } = change.instance;
        const title = this.#naming?.title ?? `${flow}@${flowVersion}`;
        return [said(`starts ${title}${key === undefined ? '' : ` for ${key}`}`)];
      }
      case 'open-scope': {
        const { id, node, index, owner } = change.scope;
        if (owner !== null) this.#owners.set(id, owner);
        if (index === undefined || index === null || node === null) return [];
        this.#passes.set(id, index);
        const { node: of, text } = passText(node, index);
        const name = this.#naming === null ? of : this.#naming.nameOf(of);
        return name === undefined ? [] : [{ node: name, state: 'goes on', text, place: index }];
      }
      case 'restore':
        this.know(change.as.tokens, at);
        this.#lost = [];
        return [said('is once more as it was')];
      case 'write':
        // What begins so is nobody's to write, and says nothing to anybody.
        if (change.space !== 'vars' || change.name.startsWith('$')) return [];
        return [said(`${change.name} = ${brief(change.value)}`)];
      case 'settle-undo':
        // Its token says so when it ends.
        if (change.as === 'failed') this.#lost.push(change.fault?.node ?? 'something');
        return [];
      case 'start-saga':
        return [said('is being undone')];
      case 'send':
        return [said(`sends ${change.letter.type}`)];
      case 'act': {
        const { verb, by, why } = change.act;
        this.#verb = verb;
        return [
          said(`${by ?? 'somebody'}: ${verbText(verb)}${why === undefined ? '' : ` (${why})`}`),
        ];
      }
      case 'suspend':
        return [said('is suspended')];
      case 'migrate':
        return [said(`goes on by version ${change.flowVersion}`)];
      case 'resume':
        return [said('goes on')];
      case 'stall':
        return [said(`is stalled at ${this.#stalled(change)}`)];
      case 'finish':
        return [this.#finish(change, at)];
      default:
        return [];
    }
  }

  #stalled({ stalled }: Extract<Change, { did: 'stall' }>): string {
    const places = stalled.joins.map(({ node, missing }) => {
      const rest = `, where nobody comes any more by ${missing.join(', ')}`;
      return this.#inChart && missing.length > 0 ? `${node}${rest}` : node;
    });
    return places.join(this.#inChart ? '; ' : ', ');
  }

  #finish(change: Extract<Change, { did: 'finish' }>, at: number): Telling {
    const { as, fault, outcome } = change;
    const why = fault === undefined ? '' : `: ${faultText(fault)}`;
    const state = as === 'completed' ? 'done' : as === 'failed' ? 'failed' : 'stopped';
    const rest = this.#lost.length === 0 ? '' : `, except ${this.#lost.join(', ')}`;
    const text = `${as}${outcome === undefined ? '' : ` and ${outcome}${rest}`}${why}`;
    return { state, text, tookMs: at - this.#startedAt };
  }

  /** For whoever has not read what came before: these are the tokens there are. */
  know(tokens: readonly Token[], at: number): void {
    this.#tokens.clear();
    for (const { id, node, scope, attempts, seq, mode, wait } of tokens) {
      if (node === CHART) this.#inChart = true;
      const isUndo = mode === 'compensation';
      const waits = wait === null ? {} : { wait: wait.on };
      if (wait?.on === 'scope') this.#owners.set(wait.scope, id);
      this.#tokens.set(id, { node, scope, since: at, attempts, seq, isUndo, ...waits });
    }
  }

  #failed(id: number): void {
    this.#learn(id, { attempts: (this.#tokens.get(id)?.attempts ?? 0) + 1 });
  }

  #learn(id: number, more: Partial<Known>): void {
    const known = this.#tokens.get(id);
    if (known !== undefined) this.#tokens.set(id, { ...known, ...more });
  }

  #of(
    token: number,
    state: Happening['state'],
    text: string,
    more: Partial<Happening> = {},
  ): readonly Telling[] {
    const known = this.#tokens.get(token);
    if (known === undefined) return [];
    const node = this.#nameOf(known.node, state);
    if (node === undefined) return [];
    // Whoever waits before an activity, and every block, is none that runs.
    if (known.wait === 'merge') return [];
    const place = known.seq ?? this.#passes.get(known.scope) ?? null;
    return [{ node, token: this.#taskToken(token, known), state, text, place, ...more }];
  }

  /** What people call it; undefined if it is not told. */
  #nameOf(node: string, state: Happening['state']): string | undefined {
    return shownName(node, state, { naming: this.#naming, inChart: this.#inChart });
  }

  /** What does the work of a task lies inside it: what is told is told of the task's own token. */
  #taskToken(token: number, { node, scope }: Known): number {
    const task = this.#naming?.taskOf(node);
    if (task === undefined || task === node) return token;
    for (let at: number | undefined = scope; at !== undefined; ) {
      const owner = this.#owners.get(at);
      const known = owner === undefined ? undefined : this.#tokens.get(owner);
      if (owner !== undefined && known?.node === task) return owner;
      at = known?.scope;
    }
    return token;
  }
}

function said(text: string): Telling {
  return { state: 'said', text };
}
