/** A stride as a person would tell it. Tests compare this text, and bug reports contain it. */
import { unreachable } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Change, LatchKey, NewToken } from '../model/change.ts';
import type { Hint } from '../model/hint.ts';
import type { StalledJoin, Wait } from '../model/instance.ts';
import type { Post } from '../model/post.ts';

export function show(stride: {
  readonly changes: readonly Change[];
  readonly hints: readonly Hint[];
}): string {
  return [...stride.changes.map(showChange), ...stride.hints.map(showHint)].join('\n');
}

function showChange(change: Change): string {
  switch (change.did) {
    case 'start-instance':
      return `start  ${change.instance.flow} ${json(change.instance.input)}`;
    case 'open-scope': {
      const { id, owner, index, vars } = change.scope;
      const pass = index === undefined ? '' : ` pass ${index}`;
      const holds = vars === undefined ? '' : ` ${json(vars)}`;
      return `open   scope ${id}${owner === null ? '' : ` of token ${owner}`}${pass}${holds}`;
    }
    case 'return-scope':
      return `return scope ${change.scope}${change.promote ? ' with its results' : ''}`;
    case 'close-scope':
      return `close  scope ${change.scope}`;
    case 'drain-scope':
      return `drain  scope ${change.scope} for the saga of ${change.to}`;
    case 'release-scope':
      return `let go of scope ${change.scope}`;
    case 'write': {
      const { scope, space, name, value } = change;
      return `write  scope ${scope} ${space} ${json({ [name]: value })}`;
    }
    case 'birth-token':
      return `birth  ${showBirth(change.token)}`;
    case 'claim-token':
      return `claim  token ${change.token} by ${change.worker}`;
    case 'enter-token':
      return `enter  token ${change.token}`;
    case 'park-token':
      return `park   token ${change.token} for ${showPark(change)}`;
    case 'wake-token':
      return `wake   token ${change.token} ${change.wake.reason}${change.enter ? AND_ENTER : ''}`;
    case 'rest-token':
      return `rest   token ${change.token} after ${change.hops}`;
    case 'recover-token':
      return `recover token ${change.token} ${change.error.code}`;
    case 'retry-token':
      return `retry  token ${change.token} ${change.error.code}${until(change.availableAt)}`;
    case 'end-token':
      return `end    token ${change.token} ${change.why}${faultIn(change)}`;
    case 'open-latch':
    case 'fire-latch':
    case 'drop-latch':
      return `${change.did.slice(0, 4)}   latch ${latch(change.latch)}`;
    case 'record-undo':
    case 'settle-undo':
    case 'hand-undos':
    case 'start-saga':
    case 'end-saga':
      return showSaga(change);
    case 'post':
      return `post   ${showPost(change.post)}`;
    case 'activate-token':
      return `ready  token ${change.token}`;
    case 'send':
      return `send   ${change.letter.id} ${change.letter.type} ${json(change.letter.data)}`;
    case 'set-output':
      return `output ${json(change.output)}`;
    case 'tag':
      return `tag    ${change.name} ${json(change.value)}`;
    case 'stall':
    case 'unstall':
      return change.did === 'stall' ? showStall(change) : 'unstall';
    case 'finish':
      return `finish ${change.as}${faultIn(change)}${change.outcome ? ` ${change.outcome}` : ''}`;
    default:
      return showOperation(change);
  }
}

type MigrationDid = 'migrate' | 'place-token' | 'place-scope' | 'place-undo' | 'drop-token';
type OperationDid =
  | MigrationDid
  | 'act'
  | 'suspend'
  | 'resume'
  | 'defer-token'
  | 'hasten-token'
  | 'alter-task'
  | 'restore';

/** What only people bring about. */
function showOperation(change: Extract<Change, { did: OperationDid }>): string {
  switch (change.did) {
    case 'act':
      return `act    ${change.act.verb} by ${change.act.by ?? 'somebody'}`;
    case 'suspend':
    case 'resume':
      return change.did;
    case 'defer-token':
      return `defer  token ${change.token} until ${change.wakeAt}`;
    case 'hasten-token':
      return `hasten token ${change.token}`;
    case 'alter-task':
      return `task   token ${change.token} ${change.entry.did} by ${change.entry.by}`;
    case 'restore': {
      const tokens = change.as.tokens.map(({ id, node }) => `token ${id} at ${node}`);
      return `restore ${tokens.join(', ')}`;
    }
    default:
      return showMigration(change);
  }
}

function showMigration(change: Extract<Change, { did: MigrationDid }>): string {
  switch (change.did) {
    case 'migrate':
      return `migrate to version ${change.flowVersion}`;
    case 'place-token': {
      const { did: _, token, lastError, ...fields } = change;
      return `place  token ${token} ${json(fields)}${lastError ? ` ${lastError.code}` : ''}`;
    }
    case 'place-scope':
      return `place  scope ${change.scope} at ${change.node}`;
    case 'place-undo':
      return `place  undo ${change.undo} at ${change.node}`;
    case 'drop-token':
      return `drop   token ${change.token}`;
    default:
      return unreachable(change);
  }
}

function showStall({ stalled }: Extract<Change, { did: 'stall' }>): string {
  return `stall  ${stalled.joins.map(showLack).join('; ')}`;
}

function showBirth({ id, node, status, groups = [], undoes }: NewToken): string {
  const ready = status === undefined ? '' : ` ${status}`;
  const stack = groups.length > 0 ? ` in ${groups.join('/')}` : '';
  const undoing = undoes === undefined ? '' : ` undoing ${undoes}`;
  return `token ${id} at ${node}${ready}${stack}${undoing}`;
}

function showLack({ node, missing }: StalledJoin): string {
  return `${node} lacks ${missing.join(', ') || 'members of its group'}`;
}

type SagaDid = 'record-undo' | 'settle-undo' | 'hand-undos' | 'start-saga' | 'end-saga';
type SagaChange = Extract<Change, { did: SagaDid }>;

function showSaga(change: SagaChange): string {
  switch (change.did) {
    case 'record-undo': {
      const { id, node, saga, result = null, inDoubt } = change.undo;
      const what = inDoubt === true ? 'in doubt' : json(result);
      return `record undo ${id} of ${node} ${what} in scope ${saga}`;
    }
    case 'settle-undo':
      return `settle undo ${change.undo} ${change.as}${faultIn(change)}`;
    case 'hand-undos':
      return `hand   undos of scope ${change.from} to ${change.to ?? 'nobody'}`;
    case 'start-saga':
      return `start  saga of scope ${change.scope}${faultIn(change)}`;
    case 'end-saga':
      return `end    saga of scope ${change.scope}`;
    default:
      return unreachable(change);
  }
}

function showPost(post: Post): string {
  switch (post.do) {
    case 'publish':
      return `message ${post.type} ${post.key ?? 'for all'} ${json(post.data)}`;
    case 'start':
      return `start of ${post.flow} ${json(post.input)}`;
    case 'answer':
      return `answer ${post.answer.status} to token ${post.to.token}`;
    case 'cancel':
      return `cancel of ${post.instance}${post.saga ? ' with its saga' : ''}`;
    default:
      return unreachable(post);
  }
}

function showPark({ wait, wakeAt, error }: Extract<Change, { did: 'park-token' }>): string {
  return showWait(wait) + until(wakeAt) + faultIn({ fault: error });
}

const AND_ENTER = ' and enter';

function faultIn({ fault }: { readonly fault?: { readonly code: string } | undefined }): string {
  return fault === undefined ? '' : ` ${fault.code}`;
}

function showHint(hint: Hint): string {
  switch (hint.do) {
    case 'offer':
      return `! offer token ${hint.token} to ${hint.handler}`;
    case 'alarm':
      return `! alarm ${hint.at}`;
    case 'await':
      return `! await ${hint.type} ${hint.key}`;
    case 'abort':
      return `! abort token ${hint.token}`;
    case 'carry':
      return '! carry';
    case 'send':
      return '! send';
    case 'lanes':
      return '! lanes';
    case 'ended':
      return '! ended';
    default:
      return unreachable(hint);
  }
}

function showWait(wait: Wait): string {
  switch (wait.on) {
    case 'time':
    case 'join':
    case 'inclusive':
      return wait.on;
    case 'merge':
      return wait.block === true ? 'block' : 'merge';
    case 'first':
      return `first of ${wait.any.map(({ type, key }) => `${type} ${key}`).join(', ')}`;
    case 'saga':
      return `the saga of scope ${wait.scope}`;
    case 'child':
      return 'another instance';
    case 'task':
      return `people, ${wait.task.kind}`;
    case 'signal':
      return `signal ${wait.name}`;
    case 'incident':
      return `someone to ${wait.can.join(' or ')} it`;
    case 'message':
      return `message ${wait.type} ${wait.key}`;
    case 'scope':
      return `scope ${wait.scope}`;
    default:
      return unreachable(wait);
  }
}

function latch({ node, group }: LatchKey): string {
  return `${node} group ${group}`;
}

function until(at: number | undefined): string {
  return at === undefined ? '' : ` until ${at}`;
}

function json(value: Json): string {
  return JSON.stringify(value);
}
