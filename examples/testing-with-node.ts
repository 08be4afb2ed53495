/**
 * The same kit with the test runner of Node itself: nothing to install, nothing to configure.
 *
 *     node --test examples/testing-with-node.ts
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestEngine } from 'perdure/testing';
import { order, shelf } from './testing.ts';

await test('an order that nobody releases within a week is given up', async () => {
  const kit = createTestEngine({ flows: [order] });
  const run = await kit.start(order, { sku: 'A1', price: 42 });
  await kit.advance('6d');
  assert.equal(await run.status(), 'waiting');
  await kit.advance('1d');
  assert.equal((await run.inspect()).outcome, 'compensated');
  assert.equal(shelf.size, 0);
  await kit.close();
});
