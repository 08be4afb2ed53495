/**
 * What a process is given, as texts: arguments, environment and standard input.
 *
 * A text stays as it is, and anything else is written as JSON. What is wrong is told without the
 * value: it may be a secret.
 */
import { isJsonObject, type Json } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { mapArgument } from '../arguments.ts';
import type { RunOptions } from './run-options.ts';

/** All that a process has of the environment of its host, which is full of secrets. */
const INHERITED = ['PATH', 'HOME', 'LANG'] as const;
/** Shells take no other, and `=` would end it. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** A list as it is; a map as `--name value`, without those that are null. */
export function argumentTexts(name: string, given: Json | undefined): readonly string[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) return (given as readonly Json[]).map(textOf);
  if (!isJsonObject(given)) throw wrong(`"${name}" is a list or an object`);
  return Object.entries(given)
    .filter(([, value]) => value !== null)
    .flatMap(([key, value]) => [`--${key}`, textOf(value)]);
}

/** Those that are given, without those that are null. */
export function variablesOf(name: string, given: Json | undefined): Record<string, string> {
  const variables = Object.entries(mapArgument(name, given)).filter(([, value]) => value !== null);
  for (const [key] of variables) {
    if (VARIABLE.test(key)) continue;
    throw wrong(`"${name}" has letters, digits, "_", "." and "-" in its names; came "${key}"`);
  }
  return Object.fromEntries(variables.map(([key, value]) => [key, textOf(value)]));
}

/** Null if there is none: then there is nothing to be read. */
export function inputText(given: Json | undefined): string | null {
  return given === undefined || given === null ? null : textOf(given);
}

/** What every process has: where programs are, where its user is at home, and the language. */
export function inheritedEnvironment({ path }: RunOptions): Record<string, string> {
  const found = INHERITED.flatMap((name) => {
    const value = name === 'PATH' ? (path ?? process.env[name]) : process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

function textOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function wrong(detail: string): WorkflowError {
  return new WorkflowError('configuration', { detail });
}
