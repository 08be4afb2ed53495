/** What a server shows of itself: metrics, health, log lines, and traces that go on. */
import { propagation } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { expect, onTestFinished, test } from 'vitest';
import {
  createEngine,
  type Engine,
  type EngineOptions,
  flow,
  type Logger,
  memory,
} from '../index.ts';
import { Spans } from '../testing/spans.ts';
import { api, type Api } from './api.ts';
import { SERIES_MAX } from './metrics.ts';
import type { ServerOptions } from './premises.ts';

const order = flow<{ fails?: boolean }>('order')
  .step('charge', ({ input }) => {
    if (input.fails === true) throw new Error('no funds');
    return 1;
  })
  .end();

async function open(
  server: ServerOptions = {},
  engine: Partial<EngineOptions> = {},
): Promise<{ engine: Engine; served: Api; url: string }> {
  const made = await createEngine({ store: memory(), flows: [order], ...engine });
  const served = api(made, server);
  const { url } = await served.listen();
  onTestFinished(async () => {
    await served.close();
    await made.close();
  });
  return { engine: made, served, url };
}

/** The value of one series; undefined if there is none. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function metricsOf(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  return response.text();
}

test('metrics count what was started, run and committed, and what was asked', async () => {
  const { engine, url } = await open();
  await (await engine.start(order, {})).result();
  await expect((await engine.start(order, { fails: true })).result()).rejects.toThrow('no funds');
  await engine.publish({ type: 'news', key: 'k' });
  await fetch(`${url}/instances/none`);
  const text = await metricsOf(url);
  expect({
    started: valueOf(text, 'perdure_instances_started_total{flow="order"}'),
    completed: valueOf(text, 'perdure_instances_ended_total{flow="order",status="completed"}'),
    failed: valueOf(text, 'perdure_instances_ended_total{flow="order",status="failed"}'),
    done: valueOf(text, 'perdure_steps_total{flow="order",node="charge",outcome="done"}'),
    broken: valueOf(text, 'perdure_steps_total{flow="order",node="charge",outcome="failed"}'),
    queued: valueOf(text, 'perdure_step_queued_seconds_count{flow="order"}'),
    kept: valueOf(text, 'perdure_messages_total{outcome="buffered"}'),
    refused: valueOf(text, 'perdure_http_requests_total{operation="getInstance",status="404"}'),
    up: valueOf(text, 'perdure_up'),
    messages: valueOf(text, 'perdure_waiting{what="messages"}'),
  }).toEqual({
    ...{ started: 2, completed: 1, failed: 1, done: 1, broken: 1, queued: 2, kept: 1 },
    ...{ refused: 1, up: 1, messages: 1 },
  });
  expect(valueOf(text, 'perdure_commits_total{outcome="committed"}')).toBeGreaterThan(3);
  expect(valueOf(text, 'perdure_commit_changes_count')).toBeGreaterThan(3);
});

test('work that nobody does shows by its age, and leases lost by their number', async () => {
  const { engine, url } = await open({}, { worker: false });
  await engine.start(order, {});
  const text = await metricsOf(url);
  expect(valueOf(text, 'perdure_waiting{what="work"}')).toBe(1);
  expect(valueOf(text, 'perdure_due_seconds{what="work"}')).toBeGreaterThanOrEqual(0);
  for (const name of ['leases_lost', 'leases_recovered', 'results_dropped']) {
    expect(text).toContain(`# TYPE perdure_${name}_total counter`);
  }
  expect(text).toContain('# TYPE perdure_timer_lag_seconds histogram');
});

test('metrics say nothing of ids, keys, tenants or values', async () => {
  const { engine, url } = await open();
  const run = await engine.start(order, {}, { key: 'key-7', tenant: 'acme' });
  await run.result();
  await fetch(`${url}/instances/${run.id}?secret=hunter2`);
  const text = await metricsOf(url);
  for (const hidden of [run.id, 'key-7', 'acme', 'hunter2']) expect(text).not.toContain(hidden);
});

test(`past SERIES_MAX flows what they do is counted under one name`, async () => {
  const { engine, url } = await open();
  const names = Array.from({ length: SERIES_MAX + 1 }, (_, n) => `flow-${n}`);
  for (const name of names) await engine.deploy(flow(name).end());
  for (const name of names) await engine.start(name, null);
  const text = await metricsOf(url);
  const series = text.split('\n').filter((line) => line.startsWith('perdure_instances_started'));
  expect(series).toHaveLength(SERIES_MAX + 1);
  expect(valueOf(text, 'perdure_instances_started_total{flow="other"}')).toBe(1);
});

test('an engine that is closed is alive and not ready', async () => {
  const { engine, url } = await open();
  const ask = async (path: string): Promise<number> =>
    (await fetch(`${url}/health/${path}`)).status;
  expect([await ask('live'), await ask('ready')]).toEqual([200, 200]);
  await engine.close();
  expect([await ask('live'), await ask('ready')]).toEqual([200, 503]);
  expect(valueOf(await metricsOf(url), 'perdure_up')).toBe(0);
});

test('a request that failed here is logged without the credential it came with', async () => {
  const lines: string[] = [];
  const line = (details: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(details)}`);
  };
  const logger: Logger = { debug: line, info: line, warn: line, error: line };
  const key = 'pdr_ci_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
  const { url } = await open({
    logger,
    access: {
      authenticate: (request) => {
        throw new Error(`cannot ask about ${request.headers.get('authorization')}`);
      },
    },
  });
  const response = await fetch(`${url}/instances`, { headers: { authorization: `Bearer ${key}` } });
  const told = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(told)).toMatchObject({ code: 'server.trouble' });
  expect(told + lines.join()).not.toContain(key);
  expect(lines.join()).toContain('a request failed');
});

test('what a request starts is part of its trace', async () => {
  const spans = new Spans();
  spans.register();
  onTestFinished(() => spans.unregister());
  propagation.disable();
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const { url } = await open();
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = {
    'content-type': 'application/json',
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  };
  const body = JSON.stringify({ flow: 'order', input: {} });
  const response = await fetch(`${url}/instances`, { method: 'POST', headers, body });
  const { id } = (await response.json()) as { readonly id: string };
  await (await fetch(`${url}/instances/${id}/result?wait=30s`)).text();
  const own = spans.all.filter((span) => span.spanContext().traceId === traceId);
  const names = new Set(own.map(({ name }) => name));
  expect(names).toEqual(new Set(['perdure.start', 'perdure.commit', 'perdure.step']));
});
