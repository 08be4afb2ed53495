/**
 * What people do with a task, straight into the store: another process did it, which may lack the
 * closures of the flow. What is refused leaves no trace, and nobody is told.
 */
import { advance } from '../kernel/advance.ts';
import { assemble } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { TaskAsk } from '../model/task.ts';
import type { Lab } from './lab.ts';

export async function handIn(
  lab: Lab,
  id: InstanceId,
  token: TokenId,
  ask: TaskAsk,
): Promise<void> {
  const { engine, store } = lab;
  const [rows] = await store.load([id]);
  if (rows === undefined) return;
  const machine = engine.parts.library.find(rows.head.plan) as Machine;
  const before = assemble(rows);
  const input = { type: 'task', at: store.now(), token, ask } as const;
  const stride = advance({ ...machine, code: null }, before, input);
  if (stride.changes.length === 0) return;
  const touched = touchedBy(before, stride);
  const { version } = touched.head;
  const commit = { commitId: `${id}-by-hand-${version}`, expected: version - 1, touched };
  const more = { fence: null, message: null, snapshot: null, take: null };
  const [outcome] = await store.commit([{ ...commit, ...more }]);
  // Somebody else was first: they look again.
  if (outcome?.outcome === 'stale') return handIn(lab, id, token, ask);
  if (outcome?.outcome !== 'committed') throw new Error(`it is ${outcome?.outcome}`);
}
