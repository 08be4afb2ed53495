/**
 * Lifecycle events as they are sent: their types, and the data that the specification gives each.
 * No secret of the workflow is in any of them, whatever its tasks have made of it.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { View } from '../../kernel/kind.ts';
import type { Change } from '../../model/change.ts';
import type { Fault } from '../../model/instance.ts';
import type { Letter } from '../../model/letter.ts';
import { concealing } from './concealing.ts';
import { isoOf } from './moments.ts';
import { documentOf, workflowOf } from './scene.ts';
import { errorOf } from './trouble.ts';

export type Told = Omit<Letter, 'id'>;

/** They keep their names after the project has changed its own. */
const PREFIX = 'io.serverlessworkflow.';
/** An output that is longer is not sent along: events are for telling, not for carrying data. */
export const EVENT_OUTPUT_CHARS_MAX = 65_536;

/** What starts a workflow by events, or after its end: nobody wrote it, and its name has a dot. */
export function isKeeper(view: View): boolean {
  return documentOf(view).name.includes('.');
}

export class Words {
  readonly events: Told[] = [];
  readonly #view: View;
  readonly #name: string;
  readonly #conceal: (data: JsonObject) => JsonObject;

  constructor(view: View) {
    this.#view = view;
    const { name, namespace } = documentOf(view);
    this.#name = `${name}-${view.instance}.${namespace}`;
    this.#conceal = concealing(workflowOf(view).secrets.map((each) => view.told.secrets[each]));
  }

  at(name: string, moment: number = this.#view.now): JsonObject {
    return { [name]: isoOf(moment) };
  }

  error(fault: Fault): JsonObject {
    return errorOf(fault, workflowOf(this.#view).errors);
  }

  started(): void {
    this.status('pending');
    const { name, namespace, version } = documentOf(this.#view);
    this.workflow('started', { definition: { name, namespace, version }, ...this.at('startedAt') });
  }

  status(status: string): void {
    this.workflow('status-changed', { ...this.at('updatedAt'), status });
  }

  correlating(): void {
    this.workflow('correlation-started', this.at('startedAt'));
  }

  correlated(correlationKeys: Json): void {
    this.workflow('correlation-completed', { ...this.at('completedAt'), correlationKeys });
  }

  finished({ as, fault }: Extract<Change, { did: 'finish' }>, output: Json): void {
    switch (as) {
      case 'completed':
        return this.workflow('completed', { ...this.at('completedAt'), ...this.#output(output) });
      case 'canceled':
        return this.workflow('cancelled', this.at('cancelledAt'));
      default: {
        const error = fault === undefined ? {} : { error: this.error(fault) };
        return this.workflow('faulted', { ...this.at('faultedAt'), ...error });
      }
    }
  }

  completed(task: string, output: Json | undefined): void {
    const made = output === undefined ? {} : this.#output(output, task);
    this.task('completed', task, { ...this.at('completedAt'), ...made });
  }

  /** Nothing is told where there is no task, or where nobody asks for tasks. */
  task(what: string, task: string | undefined, data: JsonObject): void {
    if (task === undefined || this.#view.told.lifecycle !== 'all') return;
    this.#say(`task.${what}`, { workflow: this.#name, task, ...data });
  }

  workflow(what: string, data: JsonObject): void {
    this.#say(`workflow.${what}`, { name: this.#name, ...data });
  }

  /** The output, unless it is too long, and where to find it if the host has said so. */
  #output(output: Json, task?: string): JsonObject {
    const { outputs } = this.#view.told;
    const place = task === undefined ? '' : `#${encodeURI(task)}`;
    const isShort = JSON.stringify(output).length <= EVENT_OUTPUT_CHARS_MAX;
    return {
      ...(isShort ? { output } : {}),
      ...(outputs === undefined
        ? {}
        : { outputUri: `${outputs}/${encodeURIComponent(this.#view.instance)}${place}` }),
    };
  }

  #say(what: string, data: JsonObject): void {
    const type = `${PREFIX}${what}.v1`;
    this.events.push({ type, key: this.#view.instance, data: this.#conceal(data) });
  }
}

/** Checked, and so of texts. */
