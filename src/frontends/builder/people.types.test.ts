/** What TypeScript knows of tasks and approvals. `tsc` is the test. */
import type { StandardJSONSchemaV1 } from '@standard-schema/spec';
import { expectTypeOf, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import type { ApprovalResult } from '../../model/task.ts';
import { flow } from './flow.ts';
import { form } from './form-type.ts';

interface Order {
  sku: string;
  count: number;
  boss: string;
}

const order = flow<Order>('order');
const check = form<{ ok: boolean; notes: string[] }>({ type: 'object' });

test('what people hand in is of the type of the form, or any JSON', () => {
  order
    .task('plain')
    .task('loose', { form: { type: 'object', properties: { ok: { type: 'boolean' } } } })
    .task('typed', { form: check })
    .task('asked', { form: ({ input }) => (input.count > 1 ? check : { type: 'null' }) })
    .task('own', { form: {} as unknown as StandardJSONSchemaV1<{ size: number }> })
    .task('untyped', { form: form({ type: 'string' }) })
    .step('after', ({ results }) => {
      expectTypeOf(results.plain).toEqualTypeOf<Json>();
      expectTypeOf(results.loose).toEqualTypeOf<Json>();
      expectTypeOf(results.typed).toEqualTypeOf<{
        readonly ok: boolean;
        readonly notes: readonly string[];
      }>();
      expectTypeOf(results.asked.ok).toEqualTypeOf<boolean>();
      expectTypeOf(results.own.size).toEqualTypeOf<number>();
      expectTypeOf(results.untyped).toEqualTypeOf<Json>();
    });
});

test('every part of a task is a value or a closure of what is known there', () => {
  order
    .step('before', () => ({ who: 'ann', lines: [1] }))
    .task('fixed', {
      assignee: 'ann',
      candidates: ['bob', 'sales'],
      due: '3d',
      followUp: { at: 1_700_000_000_000 },
      priority: 5,
      title: 'Check it',
      data: { lines: [1] },
    })
    .task('asked', {
      assignee: ({ results }) => results.before.who,
      candidates: ({ input }) => ({ users: [input.boss], groups: ['sales'] }),
      due: ({ input }) => input.count * 1_000,
      followUp: ({ input }) => ({ at: input.count }),
      priority: ({ index }) => (index === null ? 1 : 2),
      title: ({ input }) => `Check ${input.sku}`,
      data: ({ input, results }) => ({ input, lines: results.before.lines }),
    })
    .task('none', { assignee: null, candidates: () => null });
  // @ts-expect-error a name is a text
  order.task('a', { assignee: 3 });
  // @ts-expect-error a name is a text
  order.task('a', { assignee: ({ input }) => input.count });
  // @ts-expect-error closures answer at once
  order.task('a', { assignee: async () => 'ann' });
  // @ts-expect-error no such result
  order.task('a', { title: ({ results }) => results.before });
  // @ts-expect-error data is JSON
  order.task('a', { data: () => new Date() });
  // @ts-expect-error no such option
  order.task('a', { approvers: ['ann'] });
  // @ts-expect-error the name is taken
  order.task('a').task('a');
});

test('an approval says how it was decided', () => {
  const asked = order
    .step('before', () => ['ann', 'bob'])
    .approve('ok', { approvers: ({ results }) => results.before })
    .step('after', ({ results }) => {
      expectTypeOf(results.ok).toEqualTypeOf<ApprovalResult>();
      expectTypeOf(results.ok.decision).toEqualTypeOf<'approve' | 'reject' | 'recall'>();
      return results.ok.votes.map(({ actor }) => actor);
    });
  expectTypeOf(asked.end(({ results }) => results.ok.decision)).toEqualTypeOf<
    Flow<Order, 'approve' | 'reject' | 'recall'>
  >();
});

test('the options of an approval', () => {
  order
    .approve('a', { approvers: ['ann'], rule: 'unanimous', timeout: '7d', onTimeout: 'reject' })
    .approve('b', { approvers: { legal: ['ann'], sales: ['bob'] }, rule: { perGroup: true } })
    .approve('c', { approvers: [], onEmpty: 'approve', rule: { atLeast: 2, reject: 'counts' } })
    .approve('d', { approvers: ['x'], onTimeout: { reassign: ['boss'] }, revisions: 0 })
    .approve('e', {
      approvers: ({ input }) => ({ first: [input.boss] }),
      onTimeout: { escalate: ['boss'] },
      submitter: ({ input }) => input.boss,
      timeout: ({ input }) => input.count,
      onReject: 'fail',
    });
  // @ts-expect-error somebody has a say
  order.approve('a', {});
  // @ts-expect-error somebody has a say
  order.approve('a');
  // @ts-expect-error no such rule
  order.approve('a', { approvers: ['x'], rule: 'majority' });
  // @ts-expect-error one or the other
  order.approve('a', { approvers: ['x'], rule: { atLeast: 1, perGroup: 1 } });
  // @ts-expect-error a rule is fixed
  order.approve('a', { approvers: ['x'], rule: () => 'first' });
  // @ts-expect-error one or the other
  order.approve('a', { approvers: ['x'], onTimeout: { reassign: ['a'], escalate: ['b'] } });
  // @ts-expect-error closures answer at once
  order.approve('a', { approvers: async () => ['x'] });
  // @ts-expect-error an approval has no form
  order.approve('a', { approvers: ['x'], form: check });
});
