/** Finding instances by the engine, on every store; and filters that mean nothing. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { memory } from '../stores/memory/memory.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { createEngine } from './engine.ts';
import { Fatal } from './fatal.ts';
import type { ListOptions } from './listing.ts';

const order = flow<{ n: number }>('order')
  .step('pay', ({ input }) => {
    if (input.n === 0) throw new Fatal('card 4711 was declined', { code: 'pay.declined' });
    return input.n;
  })
  .choose(
    'long',
    { wait: { when: ({ input }) => input.n > 9, do: (b) => b.sleep('nap', '1d') } },
    {
      otherwise: (b) => b,
    },
  )
  .end();

const other = flow('other').sleep('nap', '1d').end();

onEveryStore('a list of instances', (open) => {
  const names = async (lab: Lab, options: ListOptions = {}): Promise<string[]> =>
    (await lab.engine.list(options)).instances.map(({ id }) => id);

  test('shows what each of them is, newest first', async () => {
    const lab = await open([order, other]);
    const start = { key: 'k', tenant: 't', priority: 2 };
    const failed = await lab.engine.start(order, { n: 0 }, start);
    await lab.advance('1h');
    const waits = await lab.engine.start(order, { n: 10 });
    await lab.settle();
    const { instances, cursor } = await lab.engine.list();
    expect(cursor).toBeNull();
    expect(instances).toMatchObject([
      { id: waits.id, status: 'waiting', fault: null, endedAt: null, stalled: null },
      {
        ...{ id: failed.id, flow: 'order', version: 1, status: 'failed', ...start },
        ...{ fault: { code: 'pay.declined', node: 'pay' }, outcome: null, parent: null },
        attributes: {},
      },
    ]);
    for (const { id, status } of instances) {
      expect(await (await lab.engine.get(id))?.status()).toBe(status);
    }
  });

  test('left out those whose ids begin with the last character there is', async () => {
    const lab = await open([other]);
    const last = '\u{10ffff}';
    const ids = ['a', last, `${last}a`, last.repeat(250)];
    for (const id of ids) await lab.engine.start(other, null, { id, tenant: 't' });
    await lab.settle();
    for (const filter of [{}, { flow: 'other' }, { tenant: 't' }, { status: 'waiting' } as const]) {
      expect(await names(lab, filter)).toEqual(ids.toReversed());
    }
    const page = await lab.engine.list({ limit: 1 });
    expect(await names(lab, { cursor: page.cursor ?? '' })).toEqual(ids.slice(0, 3).toReversed());
  });

  test('takes every filter there is', async () => {
    const lab = await open([order, other]);
    await lab.engine.start(order, { n: 0 }, { id: 'a', tenant: 't', key: 'k' });
    await lab.engine.start(order, { n: 1 }, { id: 'b', tenant: 't' });
    await lab.advance('1h');
    const noon = lab.now;
    await lab.engine.start(order, { n: 10 }, { id: 'c' });
    await lab.engine.start(other, null, { id: 'd', tenant: 't' });
    await lab.settle();
    const found: Record<string, string> = {};
    const asked: Record<string, ListOptions> = {
      flow: { flow: 'order' },
      itself: { flow: order },
      version: { version: 1, flow: other },
      none: { version: 2 },
      status: { status: 'failed' },
      several: { status: ['completed', 'waiting'] },
      key: { key: 'k' },
      tenant: { tenant: 't', status: ['failed', 'waiting'] },
      code: { error: 'pay.declined' },
      prefix: { error: 'pay.*' },
      another: { error: { code: 'ship.*' } },
      message: { error: { contains: '4711' } },
      since: { createdAfter: noon },
      before: { createdBefore: new Date(noon) },
      ended: { endedBefore: new Date(noon).toISOString() },
      later: { endedAfter: noon },
      stalled: { stalled: true },
      parent: { parent: 'a' },
    };
    for (const [name, options] of Object.entries(asked)) {
      found[name] = (await names(lab, options)).join('');
    }
    expect(found).toEqual({
      ...{ flow: 'cba', itself: 'cba', version: 'd', none: '', status: 'a', several: 'dcb' },
      ...{ key: 'a', tenant: 'da', code: 'a', prefix: 'a', another: '', message: 'a' },
      ...{ since: 'dc', before: 'ba', ended: 'ba', later: '', stalled: '', parent: '' },
    });
  });

  test('is read page by page, without gaps or doubles', async () => {
    const lab = await open([order]);
    for (let n = 1; n <= 7; n += 1) await lab.engine.start(order, { n }, { id: `i${n}` });
    const pages: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const options: ListOptions = { limit: 3, ...(cursor === null ? {} : { cursor }) };
      const page = await lab.engine.list(options);
      pages.push(page.instances.map(({ id }) => id).join(' '));
      ({ cursor } = page);
      if (cursor === null) break;
    }
    expect(pages).toEqual(['i7 i6 i5', 'i4 i3 i2', 'i1']);
  });
});

describe('a filter that means nothing is said', () => {
  const BAD: readonly [string, object, string, string?][] = [
    ['a field that is misspelt', { staus: 'failed' }, 'did you mean "status"?', 'staus'],
    ['a field that is none', { colour: 'red' }, 'there are flow, version', 'colour'],
    ['a status that is misspelt', { status: 'faild' }, 'did you mean "failed"?', 'status'],
    ['one status of several', { status: ['failed', 'dead'] }, '"dead"', 'status'],
    ['no status at all', { status: [] }, 'at least one', 'status'],
    ['a flow that is no name', { flow: 7 }, 'flow is a text', 'flow'],
    ['an empty key', { key: '' }, 'key is a text', 'key'],
    ['a version that is none', { version: 1.5 }, 'whole number', 'version'],
    ['stalled as text', { stalled: 'yes' }, 'true or false', 'stalled'],
    ['a moment that is none', { createdAfter: 'yesterday' }, 'ISO 8601', 'createdAfter'],
    ['a date that is none', { endedBefore: new Date('no') }, 'no date at all', 'endedBefore'],
    ['an error without anything', { error: {} }, 'a code', 'error'],
    ['an error of another kind', { error: { message: 'no' } }, 'no "message"', 'message'],
    ['attributes as a list', { attributes: ['a'] }, 'is an object', 'attributes'],
    ['an attribute that is null', { attributes: { a: null } }, 'is text', 'attributes.a'],
    ['an attribute that is no number', { attributes: { a: Number.NaN } }, 'NaN', 'attributes.a'],
    ['a range without ends', { attributes: { a: {} } }, 'a from, a to', 'attributes.a'],
    ['a range of text', { attributes: { a: { from: 'x' } } }, 'a number', 'attributes.a.from'],
    ['an end that is misspelt', { attributes: { a: { frm: 1 } } }, 'did you mean "from"', 'frm'],
    ['a page of none', { limit: 0 }, 'limit is a whole number, 1 or more'],
    ['a page too long', { limit: 1_001 }, 'PAGE_MAX 1000'],
    ['a cursor that is none', { cursor: 7 }, 'cursor is what the page before came with', 'cursor'],
  ];

  test.each(BAD)('%s', async (_what, options, message, field) => {
    const engine = await createEngine({ store: memory(), worker: false });
    await expect(engine.list(options as ListOptions)).rejects.toMatchObject({
      code: 'engine.option-invalid',
      message: expect.stringContaining(message),
      ...(field === undefined ? {} : { details: { field } }),
    });
    await engine.close();
  });

  test('and an engine that is closed', async () => {
    const engine = await createEngine({ store: memory(), worker: false });
    await engine.close();
    await expect(engine.list()).rejects.toMatchObject({ code: 'engine.closed' });
    await expect(engine.prune({ olderThan: 0 })).rejects.toMatchObject({ code: 'engine.closed' });
  });
});
