/**
 * `run: container`, by the command line of Docker or Podman and nothing else.
 *
 * The client runs in the foreground, and stands for the container: its output is the container's,
 * and so is its exit code, but for 125, by which it says that it was the one who failed. If nobody
 * waits for the container any more, the client is ended, and the container after it.
 *
 * A container that is to be removed eventually is removed by a process that waits for that beside
 * the host: it outlives the host, and not the machine.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { CallResult, Calling } from '../calling.ts';
import {
  type Client,
  endContainer,
  findClient,
  findTrouble,
  reapLater,
  runAndReap,
} from './container-client.ts';
import { type ContainerPlan, planContainer } from './container-plan.ts';
import {
  type Ended,
  letGo,
  type Outputs,
  type Program,
  seeThrough,
  startProcess,
  unstartable,
} from './process.ts';
import { limitsOf, returnOf, type RunOptions, type RunWanted } from './run-options.ts';
import { complaintOf, outputOf, outputsOf } from './run-program.ts';

/** Of the client, if there was no container to have a code. */
const CLIENT_FAILED = 125;

export async function runContainer(
  calling: Calling,
  args: JsonObject,
  wanted: RunWanted,
  options: RunOptions = {},
): Promise<CallResult> {
  const returned = returnOf(wanted);
  const plan = planContainer(args, wanted.names, randomUUID());
  calling.permits('container', plan.image);
  const client = findClient(options);
  calling.signal.throwIfAborted();
  if (!wanted.await) {
    await begin(calling, plan, client);
    return { output: calling.input };
  }
  const ended = await follow(calling, { plan, client, outputs: outputsOf(returned) }, options);
  if (ended.code === CLIENT_FAILED) throw await refusalOf(calling, client, ended.stderr);
  return { output: outputOf(calling, ended, returned) };
}

interface Followed {
  readonly plan: ContainerPlan;
  readonly client: Client;
  readonly outputs: Outputs;
}

async function follow(
  { signal }: Calling,
  { plan, client, outputs }: Followed,
  options: RunOptions,
): Promise<Ended> {
  const { label, cleanup } = plan;
  const child = await startProcess(programOf(plan, client), outputs);
  if (child === undefined) throw unstartable(client.file, 'it is gone');
  try {
    return await seeThrough(child, outputs, { signal, limits: limitsOf(options) });
  } catch (thrown) {
    await endContainer(client, label, cleanup);
    throw thrown;
  } finally {
    await reapLater(client, label, cleanup);
  }
}

function programOf({ args, env, stdin }: ContainerPlan, client: Client): Program {
  return { file: client.file, args, env: { ...client.env, ...env }, stdin };
}

/** Whether there is a runtime is asked before, since nobody is there to hear of it later. */
async function begin(calling: Calling, plan: ContainerPlan, client: Client): Promise<void> {
  const why = await findTrouble(client);
  if (why !== undefined) throw noRuntime(calling, client, why);
  const program = runAndReap(programOf(plan, client), plan.label, plan.cleanup);
  const child = await startProcess(program, null);
  if (child === undefined) throw unstartable(client.file, 'it is gone');
  letGo(child);
}

async function refusalOf(calling: Calling, client: Client, stderr: string): Promise<WorkflowError> {
  const why = await findTrouble(client);
  if (why !== undefined) return noRuntime(calling, client, why);
  const title = 'The container could not be run';
  return new WorkflowError('runtime', { title, detail: complaintOf(calling, stderr) });
}

function noRuntime(calling: Calling, { file }: Client, why: string): WorkflowError {
  const said = complaintOf(calling, why);
  const detail = `no containers can be run here: "${file}" has no runtime to speak to (${said})`;
  return new WorkflowError('configuration', { title: 'No container runtime', detail });
}
