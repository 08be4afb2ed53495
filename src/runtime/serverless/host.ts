/**
 * What an engine has for the Serverless Workflows it runs: the one HTTP client, resources, secrets,
 * and what the host allows. Made with the engine and closed with it; nothing is reached before a
 * call asks for it.
 */
import type { Json } from '../../base/json.ts';
import type { Mutable } from '../../base/mutable.ts';
import type { Permission, Resources } from '../../calls/calling.ts';
import { type ClosableHttpClient, createHttpClient } from '../../calls/http/client.ts';
import { createResources } from '../../calls/http/resources.ts';
import type { RunOptions } from '../../calls/running/run-options.ts';
import { packageIdentity } from '../../calls/version.ts';
import type { Told } from '../../model/told.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { hider } from './hiding.ts';
import type { HostOptions, Secrets, ServerlessOptions } from './options.ts';

export class Host {
  readonly http: ClosableHttpClient;
  readonly resources: Resources;
  /** What the kernel is told; secrets come in as they become known. */
  readonly told: Told;
  readonly catalog: string | undefined;
  /** Whether workflows start by their schedules. */
  readonly keeps: boolean;
  readonly run: RunOptions;
  readonly base: string | undefined;
  readonly #known: Mutable<Record<string, Json>> = {};
  readonly #secrets: Secrets;
  readonly #options: ServerlessOptions;

  constructor(options: HostOptions, hasOutbox: boolean) {
    const { http = {}, secrets = {}, serverless = {} } = options;
    this.http = createHttpClient(http);
    const { files, base, catalog, metadata = {}, lifecycle, run = {}, outputs } = serverless;
    this.resources = createResources(this.http, { files, base });
    this.base = base;
    this.catalog = catalog;
    this.keeps = serverless.schedules ?? true;
    this.run = run;
    this.#options = serverless;
    this.#secrets = secrets;
    if (typeof secrets === 'object') Object.assign(this.#known, secrets);
    this.told = {
      secrets: this.#known,
      runtime: { ...packageIdentity(), metadata },
      lifecycle: lifecycle ?? (hasOutbox ? 'all' : 'none'),
      letters: hasOutbox,
      ...(outputs === undefined ? {} : { outputs: outputs.replace(/\/+$/, '') }),
    };
  }

  /** Asks for secrets by name, so that whoever cannot wait finds them. */
  async learnSecrets(names: readonly string[]): Promise<void> {
    const secrets = this.#secrets;
    if (typeof secrets !== 'function') return;
    await Promise.all(
      names.map(async (name) => {
        const value = await secrets(name);
        if (value === undefined || value === null) delete this.#known[name];
        else this.#known[name] = value;
      }),
    );
  }

  /** Whatever is known to be a secret is not readable in it. */
  hide(text: string): string {
    return hider(Object.values(this.#known))(text);
  }

  /** Throws unless the host allows it. */
  permits(what: Permission, name: string): void {
    const allowed = this.#options[what] ?? false;
    const list = typeof allowed === 'boolean' ? [] : allowed;
    // The language has two names for one language.
    const names = name === 'js' ? [name, 'javascript'] : [name];
    if (allowed === true || names.some((each) => list.includes(each))) return;
    const came = list.length === 0 ? 'none is' : `only ${list.join(', ')} are`;
    const how = `engine option serverless.${what}, or --allow-run ${what}`;
    const detail = `"${name}" is not allowed here, ${came} (${how})`;
    throw new WorkflowError('configuration', { detail });
  }

  close(): void {
    this.http.close();
  }
}
