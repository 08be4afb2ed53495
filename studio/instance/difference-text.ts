/** What differs between two instances, in words. */
import type { Json } from '../api/shapes.ts';
import type { Fact } from './facts.ts';
import type { Difference, Side } from './first-difference.ts';

/** The headline: what kind of difference it is, and where. */
export function differenceText({ what, node, a, b }: Difference): string {
  const at = node === '' ? '' : ` at ${node}`;
  switch (what) {
    case 'input':
      return 'They went the same way, with different input';
    case 'order':
      return `The same happened in another order${at === '' ? '' : `, from ${node} on`}`;
    case 'length':
      return `${a.fact === null ? 'A' : 'B'} has not come as far: the other went on${at}`;
    case 'path':
      return wayText(a.fact, b.fact);
    case 'result':
      return node === '' ? 'A variable or the output differs' : `The result of ${node} differs`;
    case 'fault':
      return faultText(node, a.fact, b.fact);
    case 'wait':
      return `What it waited for differs${at}`;
    case 'person':
      return `What people did differs${at}`;
    case 'version':
      return 'They run different versions';
    default:
      return 'They ended differently';
  }
}

function faultText(node: string, a: Fact | null, b: Fact | null): string {
  const name = node === '' ? 'It' : node;
  if (a !== null && b !== null) return `${name} failed in both, for different reasons`;
  return `${name} failed in ${a === null ? 'B' : 'A'} only`;
}

function wayText(a: Fact | null, b: Fact | null): string {
  if (a === null) return `Only B came to ${b?.node ?? 'it'}`;
  if (b === null) return `Only A came to ${a.node}`;
  if (a.node === b.node) return `${a.node} ended differently`;
  return `A went to ${a.node}, B to ${b.node}`;
}

export function sideText({ fact, instead }: Side): string {
  return fact === null && instead !== null ? factText(instead) : factText(fact);
}

/** What one side says about it; a value of a result is shown as it is and not in words. */
function factText(fact: Fact | null): string {
  if (fact === null) return 'nothing of the kind happened';
  const { kind, node, value } = fact;
  const name = node === '' ? 'the instance' : node;
  switch (kind) {
    case 'path':
      return value === null ? `${name} began` : `${name} ended: ${wordsOf(value)}`;
    case 'fault':
      return `${name} failed: ${wordsOf(value)}`;
    case 'wait':
      return `${name}: ${wordsOf(value)}`;
    case 'person':
      return `${name}: ${wordsOf(value)}`;
    case 'version':
      return `version ${wordsOf(value)}`;
    case 'end':
      return `ended as ${wordsOf(value)}`;
    default:
      return node === '' ? 'a value was set' : `${name} has a result`;
  }
}

function wordsOf(value: Json): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const parts = (value as readonly Json[]).filter((one) => one !== null).map(wordsOf);
  return parts.join(', ');
}
