/**
 * `call: openapi`: an operation of a document, by its id.
 *
 * OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0, in JSON or YAML, in one piece or several. The document
 * says where the request goes and what it looks like; who asks, it does not: its `security` is not
 * applied, since it names no secrets. `authentication` says that for the operation, and the
 * document's own endpoint has a policy of its own. Values are not checked against schemas: the
 * server knows better which version of them it has.
 */
import type { JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { endpointArgument, flagArgument, mapArgument, textArgument } from '../arguments.ts';
import type { CallResult, Calling } from '../calling.ts';
import { hiding } from '../hiding.ts';
import { exchange, readOutput } from '../http-exchange.ts';
import { expandTemplate } from '../uri-template.ts';
import { fillOperation } from './filling.ts';
import { findOperation } from './finding.ts';
import { readOpenApi3 } from './openapi3.ts';
import type { Operation } from './operation.ts';
import { type Library, openLibrary } from './references.ts';
import { readSwagger2 } from './swagger2.ts';

/** `args` is what the task has as `with`, every expression evaluated. */
export function callOpenApi(calling: Calling, args: JsonObject): Promise<CallResult> {
  return hiding(calling, () => ask(calling, args));
}

async function ask(calling: Calling, args: JsonObject): Promise<CallResult> {
  const { endpoint } = mapArgument('document', args['document']);
  const document = endpointArgument('document.endpoint', endpoint);
  const id = textArgument('operationId', args['operationId']);
  const parameters = mapArgument('parameters', args['parameters']);
  const policy = mapArgument('authentication', args['authentication']);
  const redirect = flagArgument('redirect', args['redirect']);
  const output = readOutput(args['output']);
  const uri = expandTemplate(document.uri, calling.input);
  const operation = await readOperation(await openLibrary(calling, { ...document, uri }), id);
  return exchange(calling, {
    ...{ method: operation.method, redirect, output },
    ...fillOperation(operation, parameters),
    ...(Object.keys(policy).length === 0 ? {} : { authentication: policy }),
  });
}

async function readOperation(library: Library, id: string): Promise<Operation> {
  const { openapi, swagger } = library.root.root;
  // In YAML, a version that is not quoted may be a number.
  const named = openapi ?? swagger ?? '';
  const version = typeof named === 'object' ? '' : String(named);
  const isSwagger = openapi === undefined && /^2(\.0)?$/.test(version);
  if (!isSwagger && !/^3(\.[0-2](\.|$)|$)/.test(version)) {
    const found = version === '' ? 'names none' : `is of ${version.slice(0, 40)}`;
    const detail = `${library.name} ${found}: OpenAPI 3.0 to 3.2 and Swagger 2.0 are known`;
    throw new WorkflowError('configuration', { detail });
  }
  const found = await findOperation(library, id);
  return isSwagger ? readSwagger2(library, found) : readOpenApi3(library, found);
}
