import { describe, expect, test } from 'vitest';
import { ENDED_WELL, runProgram } from '../../testing/child-program.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import type { Json } from '../../base/json.ts';
import type { RunLimits } from '../running/run-options.ts';
import { runScript } from './script.ts';

async function js(
  code: string,
  limits: Partial<RunLimits> = {},
  signal?: AbortSignal,
): Promise<Json> {
  const calling = plainCalling(signal === undefined ? {} : { signal });
  const args = { language: 'js', code };
  return (await runScript(calling, args, { await: true }, { limits })).output;
}

describe('a script that wants too much time', () => {
  const limits = { SCRIPT_MS_MAX: 200 };

  test.each([
    ['a loop', 'for (;;);'],
    [
      'a loop that catches everything',
      'for (;;) { try { for (;;); } catch {} finally { continue } }',
    ],
    ['promises without an end', 'const again = () => Promise.resolve().then(again); await again()'],
    ['a pattern that tries everything', '/^(a+)+$/.test("a".repeat(50) + "b")'],
    ['a built-in function that looks at no clock', 'for (;;) "x".padEnd(1e7, "abc").indexOf("zz")'],
    ['an error that takes for ever to read', 'throw { get name() { for (;;); } }'],
    ['a value that takes for ever to write', 'return { toJSON() { for (;;); } }'],
  ])('is ended: %s', async (_, code) => {
    const { kind, status, detail } = await errorOf(js(code, limits));
    expect([kind, status]).toEqual(['runtime', 500]);
    expect(detail).toBe('it ran for more milliseconds than SCRIPT_MS_MAX 200');
    expect(await js('return "the host lives"')).toBe('the host lives');
  });

  test('is not ended before', async () => {
    const code = 'const end = Date.now() + 300; while (Date.now() < end); return 1';
    expect(await js(code, { SCRIPT_MS_MAX: 60_000 })).toBe(1);
  });
});

describe('a script that wants too much memory', () => {
  const detail = 'it wanted more bytes of memory than SCRIPT_MEMORY_BYTES_MAX 67108864';

  test.each([
    ['lists', 'const all = []; for (;;) all.push(new Array(1000).fill(0))'],
    ['texts', 'const all = []; for (;;) all.push("x".repeat(1e6) + all.length)'],
    ['one text', '"x".repeat(2 ** 28)'],
    ['one buffer', 'new ArrayBuffer(1e9)'],
    ['small objects', 'let all = {}; for (;;) all = { all }'],
    ['functions', 'const all = []; for (;;) all.push(() => all)'],
    ['promises', 'const all = []; for (;;) all.push(new Promise(() => {}))'],
  ])('fails: %s', async (_, code) => {
    const error = await errorOf(js(code));
    expect([error.kind, error.status, error.detail]).toEqual(['runtime', 500, detail]);
    expect(await js('return "the host lives"')).toBe('the host lives');
  });

  test('has as much as SCRIPT_MEMORY_BYTES_MAX, and no more', async () => {
    const limits = { SCRIPT_MEMORY_BYTES_MAX: 33_554_432 };
    expect(await js('return new ArrayBuffer(32e6).byteLength', limits)).toBe(32e6);
    const more = await errorOf(js('return new ArrayBuffer(33554432).byteLength', limits));
    expect(more.detail).toContain('SCRIPT_MEMORY_BYTES_MAX 33554432');
  });

  test('may go on without it', async () => {
    const code = 'try { new ArrayBuffer(1e9) } catch { return "less, then" }';
    expect(await js(code)).toBe('less, then');
  });
});

describe('a script that goes too deep', () => {
  test.each([
    ['calls', 'const f = () => 1 + f(); f()'],
    ['brackets to be read', 'JSON.parse("[".repeat(1e6))'],
    ['brackets to be run', 'eval("(".repeat(1e6))'],
    ['getters', 'const o = { get a() { return this.a } }; o.a'],
  ])('fails: %s', async (_, code) => {
    const { kind, detail } = await errorOf(js(code));
    expect(kind).toBe('runtime');
    expect(detail).toMatch(/^RangeError: Maximum call stack size exceeded|^\w*Error: .*stack/i);
    expect(await js('return "the host lives"')).toBe('the host lives');
  });
});

describe('a script that says too much', () => {
  const limits = { OUTPUT_BYTES_MAX: 1_000 };
  const detail = 'it wrote or returned more bytes than OUTPUT_BYTES_MAX 1000';

  test('may write as much as OUTPUT_BYTES_MAX, and not a byte more', async () => {
    const write = (count: number): string => `process.stdout.write('x'.repeat(${count}))`;
    expect(await js(write(1_000), limits)).toHaveLength(1_000);
    expect((await errorOf(js(write(1_001), limits))).detail).toBe(detail);
    expect(await js(`${write(1_000)}; console.error('y'.repeat(999))`, limits)).toHaveLength(1_000);
    expect((await errorOf(js('console.error("y".repeat(1000))', limits))).detail).toBe(detail);
    expect((await errorOf(js('process.stdout.write("ü".repeat(501))', limits))).detail).toBe(
      detail,
    );
  });

  test('may return as much as JSON, and not more', async () => {
    expect(await js('return "x".repeat(998)', limits)).toHaveLength(998);
    expect((await errorOf(js('return "x".repeat(999)', limits))).detail).toBe(detail);
  });

  test('is ended if it never stops', async () => {
    const endless = 'for (;;) { try { console.log("x") } catch {} }';
    expect((await errorOf(js(endless, limits))).detail).toBe(detail);
  });
});

test('a script is ended when nobody waits for it any more [RU-06]', async () => {
  const abort = new AbortController();
  const running = js('for (;;) "x".padEnd(1e7, "abc").indexOf("zz")', {}, abort.signal);
  abort.abort(new Error('too late'));
  await expect(running).rejects.toThrow('too late');
  const before = AbortSignal.abort(new Error('before'));
  await expect(js('for (;;);', {}, before)).rejects.toThrow('before');
});

test('a script that is not awaited does not keep its host', async () => {
  const program = `
    import { runScript } from '${new URL('./script.ts', import.meta.url).href}';
    const calling = { permits() {}, signal: new AbortController().signal };
    const args = { language: 'js', code: 'for (;;);' };
    await runScript(calling, args, { await: false }, { limits: { SCRIPT_MS_MAX: 1e9 } });
  `;
  expect(await runProgram(program)).toEqual(ENDED_WELL);
});

test('scripts that run at the same time know nothing of each other', async () => {
  const code = 'globalThis.n = (globalThis.n ?? 0) + 1; Array.prototype.x = 1; return n';
  expect(await Promise.all([js(code), js(code), js(code)])).toEqual([1, 1, 1]);
});
