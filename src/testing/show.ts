/** A stride as a person would tell it. Tests compare this text, and bug reports contain it. */
import { unreachable } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Change, LatchKey } from '../model/change.ts';
import type { Hint } from '../model/hint.ts';
import type { Wait } from '../model/instance.ts';

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
    case 'write': {
      const { scope, space, name, value } = change;
      return `write  scope ${scope} ${space} ${json({ [name]: value })}`;
    }
    case 'birth-token': {
      const { id, node, status, groups = [] } = change.token;
      const ready = status === undefined ? '' : ` ${status}`;
      const stack = groups.length > 0 ? ` in ${groups.join('/')}` : '';
      return `birth  token ${id} at ${node}${ready}${stack}`;
    }
    case 'claim-token':
      return `claim  token ${change.token} by ${change.worker}`;
    case 'enter-token':
      return `enter  token ${change.token}`;
    case 'park-token':
      return `park   token ${change.token} for ${showWait(change.wait)}${until(change.wakeAt)}`;
    case 'wake-token':
      return `wake   token ${change.token} ${change.wake.reason}${change.enter ? AND_ENTER : ''}`;
    case 'rest-token':
      return `rest   token ${change.token} after ${change.hops}`;
    case 'recover-token':
      return `recover token ${change.token} ${change.error.code}`;
    case 'end-token':
      return `end    token ${change.token} ${change.why}${faultIn(change)}`;
    case 'open-latch':
    case 'fire-latch':
    case 'drop-latch':
      return `${change.did.slice(0, 4)}   latch ${latch(change.latch)}`;
    case 'set-output':
      return `output ${json(change.output)}`;
    case 'stall':
      return `stall  ${change.stalled.joins
        .map(({ node, missing }) => `${node} lacks ${missing.join(', ') || 'members of its group'}`)
        .join('; ')}`;
    case 'unstall':
      return 'unstall';
    case 'finish':
      return `finish ${change.as}${faultIn(change)}`;
    default:
      return unreachable(change);
  }
}

const AND_ENTER = ' and enter';

function faultIn({ fault }: { readonly fault?: { readonly code: string } }): string {
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
      return wait.on;
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
