/**
 * The way of a request: who is at the door, who they are, whether they may, what they say; then the
 * route, and its answer. Everything that is refused is refused before anything is done.
 */
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { judge } from './access/policy.ts';
import { LOCAL, type Principal } from './access/principal.ts';
import { once, type Receipt } from './idempotency.ts';
import { checkType, parseBody, parseJson, parseParams, parseQuery } from './parsing.ts';
import { PROBLEM_TYPE, problemOf, RequestError } from './problem.ts';
import type { Premises } from './premises.ts';
import { type Ask, headerOf, readBody } from './reading.ts';
import type { Answer, Asked, Route } from './route.ts';

/** Nobody in particular: routes for anyone do not ask. */
const ANYBODY: Principal = Object.freeze({
  id: 'anyone',
  tenant: null,
  scopes: new Set<never>(),
  groups: [],
});

const COMMON: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

const JSON_COMMON: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  ...COMMON,
};

/** Answers every request, whatever happens. `route` is null where there is none. */
export async function answer(
  premises: Premises,
  ask: Ask,
  route: Route | null,
  refuse?: () => RequestError,
): Promise<Response> {
  const begun = performance.now();
  const header = headerOf(ask);
  const operation = route?.operation ?? 'none';
  let response: Response;
  try {
    if (premises.doorstep.isPreflight(ask.req.method, header)) {
      response = new Response(null, { status: 204, headers: premises.doorstep.preflight(header) });
    } else {
      const said = await serve(premises, ask, route, header, refuse);
      // Whoever asks for the head of a stream never reads it, and so would never end it.
      if (ask.req.method === 'HEAD') await said.stream?.cancel();
      response = responseOf(said, premises.doorstep.corsHeaders(header));
    }
  } catch (thrown) {
    response = refusal(premises, ask, operation, thrown, header);
  }
  premises.metrics.request(operation, response.status, (performance.now() - begun) / 1_000);
  return response;
}

type Header = (name: string) => string | undefined;

async function serve(
  premises: Premises,
  ask: Ask,
  route: Route | null,
  header: Header,
  refuse?: () => RequestError,
): Promise<Answer> {
  const { doorstep, limits, rates } = premises;
  const peer = ask.env?.incoming?.socket.remoteAddress;
  if (ask.req.url.length > limits.URL_CHARS_MAX) {
    const message = `a URL has at most URL_CHARS_MAX ${limits.URL_CHARS_MAX} characters`;
    throw new RequestError('request.too-large', message);
  }
  doorstep.check({ header, peer, url: ask.req.url });
  const principal = await identify(premises, ask, header, peer);
  rates.take(principal, peer);
  if (route === null) throw refuse?.() ?? nothingHere();
  admit(route, principal);
  const who = principal ?? ANYBODY;
  const tenant = tenantOf(who, header('perdure-tenant'));
  assertForAll(route, who, tenant);
  return within(header, () => handle(premises, ask, route, { header, principal: who, tenant }));
}

function nothingHere(): RequestError {
  return new RequestError('route.not-found', 'there is nothing here; see openapi.json');
}

/** Without authentication whoever reaches us sits at this machine: the doorstep has seen to it. */
async function identify(
  { authentication, rates }: Premises,
  ask: Ask,
  header: Header,
  peer: string | undefined,
): Promise<Principal | null> {
  if (!authentication.isConfigured) return LOCAL;
  try {
    return await authentication.identify(header, () => ask.req.raw);
  } catch (thrown) {
    // An issuer that cannot be asked is nobody's wrong credential.
    const isWrong = thrown instanceof RequestError && thrown.code === 'access.unauthenticated';
    if (isWrong) rates.takeFailure(peer);
    throw thrown;
  }
}

function admit({ policy, operation }: Route, principal: Principal | null): void {
  const verdict = judge(policy, principal);
  if (verdict === 'allowed') return;
  if (verdict === 'unauthenticated') {
    const message = 'say who you are: Authorization: Bearer, with an API key or a token';
    throw new RequestError('access.unauthenticated', message, {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  const scope = policy.for === 'scope' ? policy.scope : '';
  const isOfAll = policy.for === 'scope' && policy.tenants === 'all';
  const needs = isOfAll ? ', and to be of no tenant' : '';
  const message = `"${operation}" takes the scope ${scope}${needs}`;
  throw new RequestError('access.forbidden', message, { details: { scope } });
}

/** Whoever is in charge of all may look at one; whoever is of one has no other. */
function tenantOf({ tenant }: Principal, wanted: string | undefined): string | null {
  if (wanted === undefined || wanted === tenant) return tenant;
  if (tenant === null && wanted !== '' && wanted.length <= 500) return wanted;
  throw new RequestError('access.forbidden', 'that is another tenant');
}

/** What is about all tenants is not done for one: who named one meant no more than that. */
function assertForAll({ policy, operation }: Route, who: Principal, tenant: string | null): void {
  if (policy.for !== 'scope' || policy.tenants !== 'all' || tenant === who.tenant) return;
  const message = `"${operation}" is about all tenants: send no Perdure-Tenant`;
  throw new RequestError('access.forbidden', message);
}

/** Spans of the engine belong to the trace of the request, unless the host has its own. */
function within<Value>(header: Header, act: () => Promise<Value>): Promise<Value> {
  const traceparent = header('traceparent');
  if (traceparent === undefined || trace.getActiveSpan() !== undefined) return act();
  const tracestate = header('tracestate');
  const carrier = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  return context.with(propagation.extract(ROOT_CONTEXT, carrier), act);
}

interface Known {
  readonly header: Header;
  readonly principal: Principal;
  readonly tenant: string | null;
}

async function handle(
  premises: Premises,
  ask: Ask,
  route: Route,
  { header, principal, tenant }: Known,
): Promise<Answer> {
  const { engine, limits } = premises;
  const url = ask.req.url;
  const params = parseParams(route, ask.req.param());
  const query = parseQuery(route, url);
  const key = keyOf(route, header);
  const { text, body } = await bodyOf(route, ask, header, limits.BODY_BYTES_MAX);
  const act = (receipt: Receipt | null): Promise<Answer> => {
    const asked: Asked = {
      engine,
      premises,
      principal,
      tenant,
      params,
      query,
      body,
      header,
      receipt,
      base: baseOf(ask, route),
      get signal() {
        return ask.req.raw.signal;
      },
    };
    return route.handle(asked);
  };
  if (key === null) return act(null);
  const path = JSON.stringify(params);
  return once(engine, { route, principal, tenant, path, body: text, key }, limits, act);
}

/** Null if it was not asked to be done once, or can be done twice without harm. */
function keyOf({ repeats, method, operation }: Route, header: Header): string | null {
  const key = header('idempotency-key');
  if (key === undefined || method === 'get' || repeats === 'natural') return null;
  if (repeats === 'keyed') return key;
  const message = `"${operation}" cannot be done once only: send no Idempotency-Key`;
  throw new RequestError('idempotency.not-taken', message);
}

async function bodyOf(
  route: Route,
  ask: Ask,
  header: Header,
  most: number,
): Promise<{ readonly text: string; readonly body: unknown }> {
  if (route.body === undefined) return { text: '', body: undefined };
  if (route.raw === true) return { text: '', body: await readBody(ask, most) };
  checkType(header('content-type'));
  const { text, value } = parseJson(await readBody(ask, most));
  return { text, body: parseBody(route, value) };
}

function baseOf(ask: Ask, { path }: Route): string {
  const cut = ask.env?.base ?? '';
  if (path.includes('{')) return cut;
  const whole = ask.req.path;
  return cut + (whole.endsWith(path) ? whole.slice(0, -path.length) : '');
}

function responseOf(said: Answer, cors: Readonly<Record<string, string>>): Response {
  const { status = 200, body, text, stream } = said;
  const isJson = body !== undefined && stream === undefined && text === undefined;
  const headers = { ...(isJson ? JSON_COMMON : COMMON), ...cors, ...said.headers };
  if (isJson) return new Response(JSON.stringify(body), { status, headers });
  return new Response(stream ?? text ?? null, { status, headers });
}

function refusal(
  { logger, doorstep }: Premises,
  ask: Ask,
  operation: string,
  thrown: unknown,
  header: Header,
): Response {
  const { problem, headers, isOurs } = problemOf(thrown);
  const details = { operation, status: problem.status, code: problem.code };
  if (isOurs) logger.error({ ...details, error: String(thrown) }, 'a request failed');
  else logger.debug({ ...details, method: ask.req.method }, 'a request was refused');
  const type = { 'content-type': PROBLEM_TYPE };
  const cors = doorstep.corsHeaders(header);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...COMMON, ...type, ...cors, ...headers },
  });
}
