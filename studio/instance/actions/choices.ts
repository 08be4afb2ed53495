/** What can be chosen in the fields of an action, in words. */
import type { Instance, Plan, PlanNode, Token } from '../../api/shapes.ts';
import { tokenText } from '../token-text.ts';
import { canWake, type Verb } from './action.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A list that is longer than this nobody reads: a token is then chosen where it is shown. */
const CHOICES_MAX = 200;

export function tokenChoices(verb: Verb, instance: Instance, now: number): readonly Choice[] {
  const broken = new Set(instance.incidents.map(({ token }) => token));
  const fits = ({ id, attempts, status, wait }: Token): boolean => {
    if (verb === 'retry') return broken.has(id) || (status === 'ready' && attempts > 0);
    return verb === 'wake' ? canWake({ wait }) : true;
  };
  return instance.tokens
    .filter(fits)
    .slice(0, CHOICES_MAX)
    .map((token) => ({
      value: String(token.id),
      label: `${token.id} at ${token.node}, ${tokenText(token, now)}`,
    }));
}

/** Nodes that somebody wrote; of one region if it is said which. */
export function nodeChoices(plan: Plan, region?: string | null): readonly Choice[] {
  const isMeant = ({ hidden, parent }: PlanNode): boolean =>
    !hidden && (region === undefined || parent === region);
  return plan.nodes
    .filter(isMeant)
    .map(({ id, kind }) => ({ value: id, label: `${id} (${kind})` }));
}

/** Where a token may be moved to: the nodes beside the one it is at. */
export function beside(plan: Plan, instance: Instance, token: string): readonly Choice[] {
  const at = instance.tokens.find(({ id }) => String(id) === token)?.node;
  const node = plan.nodes.find(({ id }) => id === at);
  return nodeChoices(plan, node?.parent);
}

export function armChoices(instance: Instance, token: string): readonly Choice[] {
  const wait = instance.tokens.find(({ id }) => String(id) === token)?.wait;
  const any = wait?.on === 'first' && Array.isArray(wait['any']) ? wait['any'] : [];
  const arms = (any as readonly { readonly arm: string; readonly type: string }[]).map(
    ({ arm, type }) => ({ value: arm, label: `${arm}: message ${type}` }),
  );
  const timer = wait?.['timer'];
  return typeof timer === 'string'
    ? [...arms, { value: timer, label: `${timer}: its moment` }]
    : arms;
}

export function scopeChoices(instance: Instance): readonly Choice[] {
  return instance.scopes.slice(0, CHOICES_MAX).map(({ id, parent, node, index }) => ({
    value: String(id),
    label:
      parent === null
        ? 'the whole instance'
        : `${node}${index === null ? '' : ` [${index}]`} (${id})`,
  }));
}
