/** What a visit waits or waited for, in words that go on after “waits”. */
import type { Json, Wait } from '../api/shapes.ts';

export function awaitedText(wait: Wait): string {
  switch (wait.on) {
    case 'time':
      return 'for its time';
    case 'message':
      return `for the message ${textOf(wait['type'])}`;
    case 'first':
      return `for the first of ${listOf(wait['any']).map(armOf).join(', ') || 'several'}`;
    case 'join':
    case 'inclusive':
    case 'merge':
      return 'for the other branches';
    case 'scope':
      return 'for what is inside it';
    case 'saga':
      return 'for what is inside it to be undone';
    case 'child':
      return 'for the instance it called';
    case 'task':
      return taskText(wait['task']);
    case 'signal':
      return `for ${textOf(wait['name'])}`;
    case 'incident':
      return 'for someone to mend it';
    default:
      return `for ${wait.on}`;
  }
}

function taskText(task: Json | undefined): string {
  const { kind, approval, assignee } = fieldsOf(task);
  if (kind !== 'approval') {
    return `for ${typeof assignee === 'string' ? assignee : 'someone'} to complete it`;
  }
  const names = listOf(fieldsOf(approval)['seats']).map((seat) => textOf(fieldsOf(seat)['name']));
  return names.length === 0 ? 'for approval' : `for approval by ${names.join(', ')}`;
}

function armOf(awaited: Json): string {
  const { arm, type } = fieldsOf(awaited);
  return textOf(arm ?? type);
}

function fieldsOf(value: Json | undefined): Readonly<Record<string, Json | undefined>> {
  return Object(value ?? {}) as Record<string, Json | undefined>;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
