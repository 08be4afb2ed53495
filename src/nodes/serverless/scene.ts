/**
 * What the expressions of a task see: the data it is given, the context that all of the workflow
 * share, the variables of loops and handlers around it, and descriptions of the task, the workflow
 * and the runtime.
 *
 * A scene is made where the kernel is (`sceneAt`), and where a call is made, by whoever makes it:
 * both see the same. What is defined in a place is bound in every place, and null where it has no
 * meaning.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { OpenScope } from '../../kernel/instance.ts';
import type { Place, View } from '../../kernel/kind.ts';
import type { Head } from '../../model/instance.ts';
import {
  CONTEXT,
  DATA,
  type Envelope,
  EXTENDED,
  type WorkflowConfig,
} from '../../model/serverless.ts';
import type { Told } from '../../model/told.ts';
import { ALL, type Scene } from './expression.ts';
import { isoOf } from './moments.ts';
import { pointerOf, type Whereabouts } from './trouble.ts';

/** Which task it is that expressions belong to. */
export interface Subject {
  /** Its place in the definition, which ends with its name. */
  readonly at: string;
  /** Of a function: the task that calls it. */
  readonly caller?: string;
  /** The task that is told of instead: the one that an extension extends. */
  readonly of?: string;
}

/** Everything a scene is made of; what differs from place to place is said by `seen`. */
export interface Backdrop {
  readonly workflow: WorkflowConfig;
  readonly head: Pick<Head, 'id' | 'input' | 'createdAt'>;
  readonly told: Told;
  readonly now: number;
  readonly startedAt: number;
  readonly subject: Subject;
  /** A variable of a scope around, by its name there. */
  readonly lookup: (name: string) => Json | undefined;
}

export interface Seen {
  /** The raw input of the task, and the one its `input.from` made of it. */
  readonly raw: Json;
  readonly input: Json;
  readonly output?: Json;
  /** What an expression should have as `$output`, where that is not the raw output. */
  readonly shown?: Json;
  readonly authorization?: Json;
  readonly locals?: Readonly<Record<string, Json>>;
}

export class TaskScene implements Scene {
  readonly #drop: Backdrop;
  readonly #seen: Seen;

  constructor(drop: Backdrop, seen: Seen) {
    this.#drop = drop;
    this.#seen = seen;
  }

  get now(): number {
    return this.#drop.now;
  }

  variable(name: string): Json {
    const { lookup, told } = this.#drop;
    const { input, output = null, shown = output, authorization = null, locals } = this.#seen;
    switch (name) {
      case 'context':
        return lookup(CONTEXT) ?? null;
      case 'input':
        return input;
      case 'output':
        return shown;
      case 'secrets':
      case 'secret':
        return this.#secrets();
      case 'authorization':
        return authorization;
      case 'task':
        return this.#task(output);
      case 'workflow':
        return this.#workflow();
      case 'runtime':
        return told.runtime;
      default:
        if (locals !== undefined && Object.hasOwn(locals, name)) return locals[name] as Json;
        return lookup(name) ?? null;
    }
  }

  withheld(secret: string | typeof ALL): string | undefined {
    const { workflow, told } = this.#drop;
    if (secret === ALL) {
      return workflow.secrets.map((name) => this.withheld(name)).find((why) => why !== undefined);
    }
    if (!workflow.secrets.includes(secret)) {
      return `the secret "${secret}" is not listed in use.secrets`;
    }
    if (Object.hasOwn(told.secrets, secret)) return undefined;
    return `the host has no secret "${secret}" for this workflow (engine option "secrets")`;
  }

  #secrets(): JsonObject {
    const { workflow, told } = this.#drop;
    const names = workflow.secrets.filter((name) => Object.hasOwn(told.secrets, name));
    return Object.fromEntries(names.map((name) => [name, told.secrets[name] as Json]));
  }

  #task(output: Json): JsonObject {
    const { subject, startedAt, workflow } = this.#drop;
    const { at, caller, of } = subject;
    const place = of ?? at;
    const definition = definitionAt(workflow, place);
    const described = {
      name: lastOf(place),
      reference: of ?? caller ?? at,
      definition,
      input: this.#seen.raw,
      output,
      startedAt: momentOf(startedAt),
    };
    if (of === undefined) return described;
    // Extensions ask for `$task.call` and `$task.with` of what they extend.
    const extended = this.#drop.lookup(EXTENDED);
    return {
      ...(isJsonObject(definition) ? definition : {}),
      ...described,
      ...(isJsonObject(extended) ? extended : {}),
    };
  }

  #workflow(): JsonObject {
    const { head, workflow } = this.#drop;
    const { id, input, createdAt } = head;
    return { id, definition: workflow.definition, input, startedAt: momentOf(createdAt) };
  }
}

function momentOf(ms: number): JsonObject {
  return { iso8601: isoOf(ms), epoch: { seconds: Math.floor(ms / 1_000), milliseconds: ms } };
}

/** What stands at a pointer; functions that were fetched stand with those of the definition. */
function definitionAt({ definition, fetched }: WorkflowConfig, pointer: string): Json {
  const own = found(definition, pointer);
  if (own !== null || fetched === undefined) return own;
  return found({ use: { functions: fetched } }, pointer);
}

function found(definition: JsonObject, pointer: string): Json {
  let value: Json | undefined = definition;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = Reflect.get(value, name) as Json;
  }
  return value ?? null;
}

function lastOf(pointer: string): string {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The definition that a node belongs to, and what is so for all of it. */
export function workflowOf({ start }: Pick<View, 'start'>): WorkflowConfig {
  return start.config as unknown as WorkflowConfig;
}

/** What a definition says of itself. */
export interface DocumentHead {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
}

export function documentOf(view: Pick<View, 'start'>): DocumentHead {
  return workflowOf(view).definition['document'] as unknown as DocumentHead;
}

export function whereabouts(at: string, view: View): Whereabouts {
  return { at, family: workflowOf(view).errors };
}

export function subjectOf({ at, of }: Envelope, node: string): Subject {
  if (at === undefined) return { at: node };
  const caller = FUNCTION.test(at)
    ? { caller: pointerOf(node.slice(0, node.lastIndexOf('>'))) }
    : {};
  return { at, ...caller, ...(of === undefined ? {} : { of }) };
}

const FUNCTION = /^\/use\/functions\/[^/]+$/;

/** The scene of a node that the kernel runs. */
export function sceneAt(
  place: Place<unknown>,
  view: View,
  subject: Subject,
  seen: Seen,
  from: OpenScope = place.scope,
): TaskScene {
  return new TaskScene(
    {
      workflow: workflowOf(view),
      head: view.head,
      told: view.told,
      now: view.now,
      startedAt: place.token.createdAt,
      subject,
      lookup: (name) => lookUp(view, from, name),
    },
    seen,
  );
}

/** A variable of this scope, or of the nearest around it that has one. */
export function lookUp(view: View, from: OpenScope, name: string): Json | undefined {
  for (let scope = from; ; scope = view.scopeOf(scope.parent)) {
    const value = scope.vars.get(name);
    if (value !== undefined || scope.parent === null) return value;
  }
}

/** The data that a list of tasks has come to. */
export function dataIn(scope: OpenScope, name: string = DATA): Json {
  return scope.vars.get(name) ?? null;
}
