/**
 * Fetching what a definition is made of that stands elsewhere, before it is deployed: by the one
 * HTTP client, and with the authentication that the definition has for it.
 */
import { EngineError } from '../../base/engine-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Flow, Wanted } from '../../model/definition.ts';
import type { InstanceId, Instant } from '../../model/ids.ts';
import type { WorkflowConfig } from '../../model/serverless.ts';
import { fill } from '../../nodes/serverless/expression.ts';
import { type Backdrop, TaskScene } from '../../nodes/serverless/scene.ts';
import type { Library } from '../library.ts';
import type { Host } from './host.ts';
import { wholePolicies } from './policies.ts';

/** Functions that call functions that call functions: past this somebody is playing with us. */
const LINKS_MAX = 100;
const LINK_MS_MAX = 60_000;

export async function linkFlow<In, Out>(host: Host, flow: Flow<In, Out>): Promise<Flow<In, Out>> {
  let linked: Flow = flow;
  let count = 0;
  for (
    let { linking } = linked.definition;
    linking !== undefined;
    { linking } = linked.definition
  ) {
    count += linking.wants.length;
    if (count > LINKS_MAX) {
      const message = `"${flow.name}" is made of more than ${LINKS_MAX} resources (LINKS_MAX)`;
      throw new EngineError('definition.invalid', message, { details: { diagnostics: [] } });
    }
    await host.learnSecrets(secretsOf(linked));
    const fetched = linking.wants.map(async (want) => {
      return [want.name, await fetchOne(host, linked, want)] as const;
    });
    linked = linking.link(new Map(await Promise.all(fetched)));
  }
  await host.learnSecrets(secretsOf(linked));
  return linked as unknown as Flow<In, Out>;
}

/** Those that an engine was made with: linked and known; their plans are to be stored. */
export async function linkFlows(
  host: Host,
  library: Library,
  flows: readonly Flow[],
): Promise<ReturnType<Library['register']>> {
  for (const flow of flows) await host.learnSecrets(secretsOf(flow));
  const open = flows.filter(({ definition }) => definition.linking !== undefined);
  if (open.length === 0) return [];
  const linked = await Promise.all(open.map((flow) => linkFlow(host, flow)));
  return library.register(linked.map(({ definition }) => definition));
}

async function fetchOne(host: Host, flow: Flow, want: Wanted): Promise<string> {
  const uri = urlOf(host, want);
  if (uri === null) {
    const detail = `"${want.name}" is in the default catalog, and this engine has none`;
    throw unreachable(flow, want, `${detail} (engine option serverless.catalog)`);
  }
  const authentication = policyOf(host, flow, want);
  const endpoint = authentication === undefined ? uri : { uri, authentication };
  try {
    const { text } = await host.resources.text({ endpoint }, AbortSignal.timeout(LINK_MS_MAX));
    return text;
  } catch (thrown) {
    throw unreachable(flow, want, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function urlOf({ catalog }: Host, { url, path = '' }: Wanted): string | null {
  if (url !== null) return url;
  return catalog === undefined ? null : `${catalog.replace(/\/+$/, '')}/${path}`;
}

/** Its expressions see secrets, and no data: there is none yet. */
function policyOf(host: Host, flow: Flow, want: Wanted): JsonObject | undefined {
  const workflow = configOf(flow);
  if (want.authentication === undefined || workflow === undefined) return undefined;
  const scene = new TaskScene({ ...NOWHERE, workflow, told: host.told }, NO_DATA);
  const authentication = fill(want.authentication, scene, null);
  if (!authentication.ok) throw unreachable(flow, want, authentication.problem.detail);
  const whole = wholePolicies(
    {
      template: { map: [['authentication', want.authentication]] },
      value: { authentication: authentication.value },
    },
    {
      policy: () => undefined,
      secret: (name) => {
        const why = scene.withheld(name);
        if (why !== undefined) throw unreachable(flow, want, why);
        return host.told.secrets[name] ?? null;
      },
    },
  );
  const made = isJsonObject(whole) ? whole['authentication'] : undefined;
  return isJsonObject(made) ? made : undefined;
}

const NO_DATA = { raw: null, input: null };
const NOWHERE: Omit<Backdrop, 'workflow' | 'told'> = {
  ...{ head: { id: '' as InstanceId, input: null, createdAt: 0 as Instant }, now: 0 },
  ...{ startedAt: 0, subject: { at: '' }, lookup: () => undefined },
};

/** What is so for all of a workflow; undefined for every other flow. */
export function configOf({ definition }: Pick<Flow, 'definition'>): WorkflowConfig | undefined {
  const { draft } = definition;
  const start = draft.nodes.find(({ id }) => id === draft.start);
  return start?.kind === 'sw-workflow'
    ? (start.settings as Json as unknown as WorkflowConfig)
    : undefined;
}

function secretsOf(flow: Pick<Flow, 'definition'>): readonly string[] {
  return configOf(flow)?.secrets ?? [];
}

function unreachable({ name }: Flow, want: Wanted, why: string): EngineError {
  const message = `${want.name} cannot be fetched: ${why}`;
  const diagnostics = [{ flow: name, code: 'serverless.unreachable', message }];
  return new EngineError('definition.invalid', `1 problem in the definition:\n  ${message}`, {
    details: { diagnostics },
  });
}
