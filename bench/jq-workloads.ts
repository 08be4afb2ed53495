/** What jq is asked to do, and how each library is: given one value, all give values back. */
import type { Json } from '../src/base/json.ts';
import { compileJq } from '../src/expressions/jq/jq.ts';
import { importPackage } from './packages.ts';

export const LIBRARIES = ['ours', 'jqjs', 'wasm'] as const;
export type Library = (typeof LIBRARIES)[number];

/** What a side does for so long when it is told to. */
export interface Order {
  readonly what: 'run' | 'compile';
  readonly ms: number;
}

interface Workload {
  readonly title: string;
  readonly program: string;
  readonly input: Json;
  /** Runs between two looks at the clock, which would be a good part of what is measured. */
  readonly times: number;
}

const ITEMS = 500;
const CUSTOMERS = 40;
const MONTHS = 12;
/** Days that every month has. */
const DAYS = 28;

/** Customers come in no order, and no two numbers of an order repeat together. */
const ORDERS = Array.from({ length: ITEMS }, (_, at) => ({
  sku: `sku-${at}`,
  customer: `customer-${(at * 31) % CUSTOMERS}`,
  at: `2026-${twoDigits((at % MONTHS) + 1)}-${twoDigits((at % DAYS) + 1)}T10:00:00Z`,
  qty: at % 7,
  price: 10 + ((at * 37) % 1_000) / 100,
  total: ((at * 53) % 10_000) / 100,
}));

export const JQ_WORKLOADS: Readonly<Record<string, Workload>> = {
  field: {
    title: 'a field and a sum',
    program: '.a.b + 1',
    input: { a: { b: 41 } },
    times: 20,
  },
  object: {
    title: `an object made of ${ITEMS} items`,
    program: 'map({(.sku): {qty, total: (.price * .qty)}}) | add',
    input: ORDERS,
    times: 1,
  },
  group: {
    title: `${ITEMS} orders by customer`,
    program:
      'group_by(.customer) | ' +
      'map({customer: .[0].customer, orders: length, total: (map(.total) | add)})',
    input: ORDERS,
    times: 1,
  },
  path: {
    title: `an update of some of ${ITEMS} prices`,
    program: '(.items[] | select(.qty > 2) | .price) |= . * 1.1',
    input: { items: ORDERS },
    times: 1,
  },
  regex: {
    title: `a capture in each of ${ITEMS} texts`,
    program: String.raw`map(.at | capture("(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})"))`,
    input: ORDERS,
    times: 1,
  },
};

type Compile = (program: string) => (input: Json) => readonly Json[];

interface JqJs {
  readonly compile: (program: string) => (input: Json) => Iterable<Json>;
}

interface JqWasm {
  readonly loadJq: () => Promise<{ json(input: Json, program: string): Json[] }>;
}

export const COMPILERS: Readonly<Record<Library, () => Promise<Compile>>> = {
  ours: async () => (program) => {
    const compiled = compileJq(program);
    if (!compiled.ok) throw new Error(`${program} compiles`);
    return (input) => {
      const ended = compiled.value.run(input);
      if (!ended.ok) throw new Error(ended.problem.message);
      return ended.value;
    };
  },
  jqjs: async () => {
    const { compile } = await importPackage<JqJs>('@michaelhomer/jqjs');
    return (program) => {
      const filter = compile(program);
      return (input) => [...filter(input)];
    };
  },
  wasm: async () => {
    const jq = await (await importPackage<JqWasm>('jq-wasm')).loadJq();
    return (program) => (input) => jq.json(input, program);
  },
};

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
