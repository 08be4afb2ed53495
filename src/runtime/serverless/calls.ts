/** Which call is made by what. Those that few workflows make are loaded with the first of them. */
import type { JsonObject } from '../../base/json.ts';
import type { Calling, CallResult } from '../../calls/calling.ts';
import type { RunOptions } from '../../calls/running/run-options.ts';
import type { CallConfig, CallKind } from '../../model/serverless.ts';

export type Make = (calling: Calling, args: JsonObject, wanted: Wanted) => Promise<CallResult>;

/** What a call is told beside its arguments. */
export interface Wanted {
  readonly process: NonNullable<CallConfig['wanted']>;
  readonly names: { readonly workflow: string; readonly namespace: string; readonly task: string };
  /** What the host has decided about programs. */
  readonly run: RunOptions;
}

export const CALLS: Readonly<Record<CallKind, Make>> = {
  http: async (calling, args) => {
    const { callHttp } = await import('../../calls/http-call.ts');
    return callHttp(calling, args);
  },
  openapi: async (calling, args) => {
    const { callOpenApi } = await import('../../calls/openapi/openapi-call.ts');
    return callOpenApi(calling, args);
  },
  grpc: async (calling, args) => {
    const { callGrpc } = await import('../../calls/grpc/call-grpc.ts');
    return callGrpc(calling, args);
  },
  asyncapi: async (calling, args) => {
    const { publishAsyncApi } = await import('../../calls/asyncapi/publish.ts');
    return publishAsyncApi(calling, args);
  },
  mcp: async (calling, args, { run }) => {
    const { callMcp } = await import('../../calls/mcp/call-mcp.ts');
    return callMcp(calling, args, run);
  },
  a2a: async (calling, args) => {
    const { callA2a } = await import('../../calls/a2a/call-a2a.ts');
    return callA2a(calling, args);
  },
  shell: async (calling, args, { process, run }) => {
    const { runShell } = await import('../../calls/running/shell.ts');
    return runShell(calling, args, process, run);
  },
  script: async (calling, args, { process, run }) => {
    const { runScript } = await import('../../calls/scripts/script.ts');
    return runScript(calling, args, process, run);
  },
  container: async (calling, args, { process, names, run }) => {
    const { runContainer } = await import('../../calls/running/container.ts');
    return runContainer(calling, args, { ...process, names }, run);
  },
};
