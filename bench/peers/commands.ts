/** What the bench asks of a contender's process, and what comes back: one answer to each. */
import type { FlowName } from './contender.ts';
import type { ContenderName } from './contenders.ts';

export type Command =
  | { readonly do: 'lap'; readonly flow: FlowName; readonly ms: number }
  | { readonly do: 'alone'; readonly flow: FlowName; readonly times: number }
  | { readonly do: 'messages'; readonly times: number }
  | { readonly do: 'enqueue'; readonly count: number }
  | { readonly do: 'enqueue-waiting'; readonly count: number }
  /** With marks of how far it is: a hundred looks a second, which is more than an idle one does. */
  | { readonly do: 'open'; readonly marks: boolean }
  | { readonly do: 'look' }
  | { readonly do: 'weigh' }
  | { readonly do: 'close' };

export interface Answers {
  readonly lap: LapAnswer;
  readonly alone: AloneAnswer;
  readonly messages: AloneAnswer;
  readonly enqueue: null;
  readonly 'enqueue-waiting': null;
  readonly open: null;
  readonly look: Look;
  readonly weigh: Weight;
  readonly close: Stay;
}

export interface LapAnswer {
  readonly flowsPerSecond: number;
  readonly flows: number;
  /** Of the Node process with its threads, per flow. */
  readonly cpuMs: number;
  /** Of the database server, per flow; null where it cannot be seen. */
  readonly serverCpuMs: number | null;
  /** Durable commits per flow, where they are counted. */
  readonly commits: number | null;
}

export interface AloneAnswer {
  /** By the clock, each. */
  readonly ms: readonly number[];
  /** Of the Node process with its threads, the pauses in between included, for each. */
  readonly cpuMs: number;
}

/** How far it is, while it is open. */
export interface Look {
  readonly steps: number;
  readonly calls: number | null;
  readonly cpuMs: number;
}

/** What it weighs once everything that nobody needs has been collected. */
export interface Weight {
  readonly heapMb: number;
  readonly rssMb: number;
}

/** What was seen of it from opening to closing. */
export interface Stay {
  readonly rssMbMax: number;
  /** How many steps had run at which moment, in milliseconds since 1970. */
  readonly marks: readonly (readonly [at: number, steps: number])[];
}

/** How a process is told who it is. */
export interface Introduction {
  readonly contender: ContenderName;
  readonly place: string;
  readonly lanes: number;
  readonly works: boolean;
  readonly postmaster: number | null;
}

export type Reply = { readonly answer: Answers[keyof Answers] } | { readonly failed: string };
