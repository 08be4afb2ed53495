/** What the thread of a JavaScript script is told, and what it answers. */
import type { JsonObject } from '../../base/json.ts';
import type { RunLimits } from '../running/run-options.ts';

export interface ScriptTold {
  readonly code: string;
  /** As in Node: what runs it, its name, and then its arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Arguments that have names, which are variables of the script. */
  readonly variables: JsonObject;
  /** Whether what it returns is of interest to anybody. */
  readonly wantsValue: boolean;
  readonly limits: RunLimits;
}

export type ScriptLimit = 'SCRIPT_MS_MAX' | 'SCRIPT_MEMORY_BYTES_MAX' | 'OUTPUT_BYTES_MAX';

export interface ScriptEnded {
  readonly end: 'ended';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What it returned, as JSON; null if that was nothing. */
  readonly value: string | null;
  /** What it threw, and in which line; null if it did not. */
  readonly thrown: string | null;
}

export type ScriptEnd = ScriptEnded | { readonly end: 'limit'; readonly limit: ScriptLimit };

export type ThreadWord =
  | { readonly end: 'begun' }
  /** A package is not installed. */
  | { readonly end: 'missing' }
  | ScriptEnd;
