/**
 * Every action on a token in every state it can be in, on every store, as one table (B-30, L-42,
 * L-43, S-69, scenario 24). What is done is what the preview said, in those very changes; what is
 * refused is refused by its name, and neither the version nor the history know of it. Afterwards
 * every promise holds, and everything can still be brought to an end.
 */
import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { waiting } from '../frontends/chain/results.ts';
import type { Action } from '../model/action.ts';
import type { Change } from '../model/change.ts';
import { type Lab, type OpenLab, onEveryStore } from '../testing/lab.ts';
import { Held, type State, STATES } from '../testing/token-states.ts';
import type { Run } from './run.ts';

/**
 * `+` it is done, `=` it is so already, and what is refused: R operation.refused, P
 * token.not-parked, F token.not-found, O instance.over, S instance.suspended, N token.not-waiting,
 * G token.gated. `undo` is to cancel with the saga, `all` to retry without naming a token.
 */
const TABLE = `
  state                cancel undo suspend resume retry all skip wake set move revive rerun copy
  created link         +      +    +       =      F     P   F    F    R   F    R      +     +
  ready                +      +    +       =      P     P   +    N    +   +    R      +     +
  backoff              +      +    +       =      +     +   +    +    +   +    R      +     +
  executing            +      +    +       =      P     P   +    N    +   +    R      +     +
  time                 +      +    +       =      P     P   +    +    +   +    R      +     +
  message              +      +    +       =      P     P   +    +    +   +    R      +     +
  first                +      +    +       =      P     P   +    R    +   +    R      +     +
  child                +      +    +       =      P     P   +    R    +   +    R      +     +
  join                 +      +    +       =      P     P   R    R    +   +    R      +     +
  inclusive            +      +    +       =      P     P   R    R    +   +    R      +     +
  scope                +      +    +       =      P     P   +    R    +   +    R      +     +
  map                  +      +    +       =      P     P   +    R    +   +    R      +     +
  item                 +      +    +       =      P     P   R    R    +   R    R      +     +
  inside an item       +      +    +       =      P     P   +    +    +   +    R      +     +
  task                 +      +    +       =      P     P   +    G    +   +    R      +     +
  approval             +      +    +       =      P     P   +    G    +   +    R      +     +
  approval returned    +      +    +       =      P     P   +    G    +   +    R      +     +
  saga                 +      +    +       =      P     P   R    R    +   R    R      R     R
  incident             +      +    +       =      +     +   +    R    +   +    R      +     +
  undoing              +      =    +       =      P     P   +    N    +   R    R      R     R
  undoing later        +      =    +       =      +     +   +    +    +   R    R      R     R
  undoing incident     +      =    +       =      +     +   +    R    +   R    R      R     R
  draining             +      +    +       =      P     P   R    N    +   R    R      +     +
  suspended            +      +    =       +      P     P   +    S    +   +    R      +     +
  suspended at work    +      +    =       +      P     P   +    S    +   +    R      +     +
  failed suspended     +      +    =       +      +     +   +    S    +   +    R      +     +
  in a lane            +      +    +       =      P     P   +    N    +   +    R      +     +
  completed            =      =    O       O      O     O   O    O    O   O    R      +     +
  failed               =      =    O       O      O     O   O    O    O   O    +      +     +
  canceled             =      =    O       O      O     O   O    O    O   O    R      +     +
`;

const NAMES: Readonly<Record<string, string>> = {
  '+': 'done',
  '=': 'so already',
  R: 'operation.refused',
  P: 'token.not-parked',
  F: 'token.not-found',
  O: 'instance.over',
  S: 'instance.suspended',
  N: 'token.not-waiting',
  G: 'token.gated',
};

const NAME_CHARS = 20;

const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => cellsOf(line.trim()));

/** The name of a state may be two words; nothing else has a space in it. */
function cellsOf(line: string): readonly string[] {
  return [line.slice(0, NAME_CHARS).trim(), ...line.slice(NAME_CHARS).trim().split(/ +/)];
}

function actionOf(name: string, token: number, { to = 'last', from = 'first' }: State): Action {
  switch (name) {
    case 'cancel':
    case 'undo':
      return { do: 'cancel', saga: name === 'undo' };
    case 'suspend':
    case 'resume':
    case 'revive':
      return { do: name };
    case 'retry':
      return { do: 'retry', token };
    case 'all':
      return { do: 'retry' };
    case 'skip':
      return { do: 'skip', token, result: 'skipped' };
    case 'wake':
      return { do: 'wake', token, data: 'woken' };
    case 'set':
      return { do: 'set', name: 'colour', value: 'blue' };
    case 'move':
      return { do: 'move', token, to };
    case 'rerun':
    case 'copy':
      return { do: 'rerun', from, ...(name === 'copy' ? { copy: true } : {}) };
    default:
      throw new Error(`there is no column ${name}`);
  }
}

interface Met {
  readonly lab: Lab;
  readonly held: Held;
  readonly runs: readonly Run[];
}

/** So many instances of a flow, all of them in the same state. */
async function meet(open: OpenLab, state: State, count: number): Promise<Met> {
  const held = new Held();
  const job = state.flow(held);
  const blocker = flow('blocker').step('hold', held.hold).end();
  const busy = state.busy === true ? { concurrency: 1 } : {};
  const handlers = { A: () => waiting('go', null), B: () => waiting('go', null) };
  const lab = await open([job, blocker], { ...busy, handlers });
  if (state.busy === true) {
    await lab.engine.start(blocker, null);
    await lab.tick(0);
  }
  const runs: Run[] = [];
  for (let n = 0; n < count; n += 1)
    runs.push(await lab.engine.start(job, (state.input?.(n) ?? {}) as never));
  await lab.tick('2s');
  const others = state.busy === true ? 1 : 0;
  expect(held.count).toBe(others + (state.atWork === true ? count : 0));
  for (const run of runs) await state.prepare?.(run, lab);
  if (state.letsGo === true) {
    held.letGo();
    await lab.tick(0);
  }
  return { lab, held, runs };
}

async function tokenIn(run: Run, { token = () => true }: State): Promise<number> {
  const tokens = await run.tokens();
  const { endedAt } = await run.inspect();
  const found = tokens.find(token);
  if (found === undefined && endedAt === null)
    throw new Error(`no such token: ${JSON.stringify(tokens)}`);
  return found?.id ?? 1;
}

/** What came of it: done, so already, or by which name it was refused. */
async function attempt(doing: Promise<unknown>, run: Run, version: number): Promise<string> {
  try {
    const other = await doing;
    const { version: after } = await run.inspect();
    return after === version && other === run ? 'so already' : 'done';
  } catch (thrown) {
    if (thrown instanceof EngineError && thrown.message !== '') return thrown.code;
    throw thrown;
  }
}

const isDoing = ({ did }: Change): boolean => did !== 'act';

/** Tries it, and holds what came of it to what the preview said. */
async function tryAction(run: Run, action: Action): Promise<string> {
  const { version } = await run.inspect();
  const isCopy = action.do === 'rerun' && action.copy === true;
  const foreseen = await run.preview(action).catch((thrown: EngineError) => thrown);
  expect((await run.inspect()).version).toBe(version);
  const outcome = await attempt(run.act(action, { actor: 'ada', reason: 'why' }), run, version);
  const isRefused = foreseen instanceof EngineError;
  expect(isRefused ? foreseen.code : outcome).toBe(outcome);
  const leavesNothing = isRefused || isCopy || outcome === 'so already';
  const told = leavesNothing ? [] : [foreseen.changes.filter(isDoing)];
  // What it has made ready may be answered already: that comes after it.
  const rows = (await run.history()).slice(version, leavesNothing ? undefined : version + 1);
  const changes = rows.map((row) => row.changes);
  expect(changes.map((row) => row.filter(isDoing))).toEqual(told);
  const act = { did: 'act', act: { verb: action.do, by: 'ada', why: 'why' } };
  const said = leavesNothing ? [] : [act];
  expect(changes.flatMap((row) => row.filter((change) => !isDoing(change)))).toEqual(said);
  return outcome;
}

/** Everything is answered and all time passes; what is left then is cancelled. */
async function bringToEnd({ lab, held }: Met): Promise<void> {
  const all = await lab.store.scan(null, 1_000);
  const runs = (await Promise.all(all.map((id) => lab.engine.get(id)))) as Run[];
  for (const run of runs) await run.resume().catch(() => {});
  held.letGo();
  await lab.tick('2h');
  held.letGo();
  await lab.tick('2h');
  for (const run of runs) await run.cancel();
  held.letGo();
  await lab.tick('2h');
  const statuses = await Promise.all(runs.map((run) => run.status()));
  expect(statuses.filter((status) => !OVER.has(status))).toEqual([]);
  expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
}

const OVER = new Set<string>(['completed', 'failed', 'canceled']);

onEveryStore('what an operator does to a token', (open) => {
  const [[, ...columns] = [], ...rows] = ROWS;
  for (const [name = '', ...marks] of rows) {
    test(`${name}: is done, or refused by its name`, async () => {
      const state = STATES[name] as State;
      const met = await meet(open, state, columns.length);
      const found: Record<string, string> = {};
      for (const [n, column] of columns.entries()) {
        const run = met.runs[n] as Run;
        const action = actionOf(column, await tokenIn(run, state), state);
        found[column] = await tryAction(run, action);
      }
      const expected = columns.map((column, n) => [column, NAMES[marks[n] ?? '']]);
      expect(found).toEqual(Object.fromEntries(expected));
      expect(await met.lab.engine.check()).toMatchObject({ ok: true, violations: [] });
      await bringToEnd(met);
    });
  }
});
