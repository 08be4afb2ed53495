/** What somebody did with a task, in words. */
import type { TaskEntry } from '../api/shapes.ts';

const DID: Readonly<Record<string, string>> = {
  claim: 'took it',
  unclaim: 'gave it back',
  comment: 'said',
  attach: 'attached something',
  update: 'changed when it is due or how urgent it is',
  delegate: 'delegated it',
  reassign: 'reassigned it',
  complete: 'completed it',
  decide: 'decided',
  resubmit: 'resubmitted it',
  recall: 'recalled it',
  timeout: 'its time was over',
};

const DECIDED: Readonly<Record<string, string>> = {
  approve: 'approved it',
  reject: 'rejected it',
  revise: 'sent it back',
};

export function entryText({ did, decision, to, from, override }: TaskEntry): string {
  const what = typeof decision === 'string' ? DECIDED[decision] : DID[did];
  const whom = typeof to === 'string' ? ` to ${to}` : '';
  const whose = typeof from === 'string' ? ` from ${from}` : '';
  return `${what ?? did}${whose}${whom}${override === true ? ' without a say in it' : ''}`;
}
