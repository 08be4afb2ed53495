/** The import table of ARCHITECTURE.md §1, executable: who may import what. */
import { posix } from 'node:path';
import { isCode, isTest, judgeFiles, judgeSites, type Rule, type Site, roomOf } from './source.ts';

interface Row {
  /** Rooms, or single files of them. A room may always import itself. */
  readonly rooms: readonly string[] | 'any';
  /** Packages; `node:` stands for everything that comes with Node. */
  readonly packages: readonly string[] | 'any';
}

const NODE = 'node:';
const PURE = ['base', 'model', 'kernel', 'expressions'];
const DOORS = [
  ...[
    'index.ts',
    'flowchart.ts',
    'postgres.ts',
    'serverless.ts',
    'server.ts',
    'sqlite.ts',
    'testing.ts',
  ],
];
/** An interface and nothing behind it: what becomes of spans is for the program to say. */
const TRACES = '@opentelemetry/api';
/** Of what a Serverless Workflow calls; most of them are there only if the host installed them. */
const CLIENTS = [
  ...['yaml', 'mqtt', '@grpc/grpc-js', '@grpc/proto-loader'],
  ...['quickjs-emscripten-core', '@jitl/quickjs-ng-wasmfile-release-sync'],
];

/** What the HTTP API is made of. */
const SERVER = ['hono', '@hono/node-server', 'zod', 'jose', 'prom-client', '@opentelemetry/api'];

const ROOMS: Readonly<Record<string, Row>> = {
  base: { rooms: [], packages: [] },
  model: { rooms: ['base'], packages: [] },
  kernel: { rooms: ['base', 'model'], packages: [] },
  expressions: { rooms: ['base', 'model'], packages: ['@cfworker/json-schema'] },
  nodes: { rooms: PURE, packages: [] },
  compile: { rooms: PURE, packages: [] },
  drawing: { rooms: ['base', 'model'], packages: [] },
  frontends: {
    rooms: ['base', 'model', 'expressions'],
    packages: ['@standard-schema/spec', 'yaml', 'ajv', 'croner', 'temporal-polyfill'],
  },
  stores: { rooms: ['base', 'model'], packages: [NODE, 'pg'] },
  calls: { rooms: ['base', 'model'], packages: [NODE, TRACES, ...CLIENTS] },
  runtime: {
    rooms: [
      ...['base', 'model', 'kernel', 'expressions', 'nodes', 'compile', 'calls'],
      ...['stores/store.ts', 'stores/letters.ts', 'stores/schedules.ts', 'stores/instances.ts'],
      'stores/halts.ts',
      'stores/lanes.ts',
      'stores/servers.ts',
      'stores/tasks.ts',
      'stores/backlog.ts',
      'stores/receipts.ts',
    ],
    packages: [NODE, TRACES, '@standard-schema/spec', 'croner', 'temporal-polyfill'],
  },
  server: { rooms: DOORS, packages: [NODE, ...SERVER] },
  client: { rooms: ['base'], packages: [] },
  cli: { rooms: ['base', 'drawing', ...DOORS], packages: [NODE, 'commander'] },
  testing: { rooms: 'any', packages: 'any' },

  'index.ts': {
    rooms: [
      ...['base', 'model', 'expressions', 'frontends', 'calls', 'runtime'],
      ...['stores/memory', 'stores/store.ts', 'stores/health.ts', 'stores/backlog.ts'],
      'stores/servers.ts',
    ],
    packages: [],
  },
  'client.ts': { rooms: ['base', 'client', 'frontends'], packages: [] },
  'serverless.ts': { rooms: ['base', 'model', 'frontends', 'runtime', 'calls'], packages: [] },
  'flowchart.ts': { rooms: ['base', 'model', 'frontends', 'runtime'], packages: [] },
  'postgres.ts': {
    rooms: ['base', 'model', 'stores/postgres', 'stores/store.ts'],
    packages: ['pg'],
  },
  'server.ts': { rooms: ['server'], packages: [] },
  'sqlite.ts': { rooms: ['base', 'model', 'stores/sqlite', 'stores/store.ts'], packages: [] },
  'testing.ts': { rooms: ['base', 'model', 'testing'], packages: [] },
};

export const everyFileHasARoom: Rule = (files) =>
  judgeFiles(
    files.filter((file) => isCode(file) && !isTest(file)),
    ({ path }) => {
      const room = roomOf(path);
      if (room === undefined || room in ROOMS) return undefined;
      return `"${room}" is neither a room nor a front door; the table is in scripts/tidy/rooms.ts`;
    },
  );

export const everyImportGoesThroughADoor: Rule = (files) =>
  judgeSites(
    files.filter((file) => isCode(file) && !isTest(file)),
    (site, { path }) => {
      const wanted = importOf(site);
      if (wanted === undefined) return undefined;
      if (path.startsWith('examples/')) return exampleTrespass(path, wanted);
      if (path.startsWith('studio/')) return studioTrespass(path, wanted);
      const row = ROOMS[roomOf(path) ?? ''];
      if (row === undefined) return undefined;
      return wanted.startsWith('.')
        ? roomTrespass(row, path, wanted)
        : packageTrespass(row, wanted);
    },
  );

/** The module an import, an export from, an `import()` or an `import` type asks for. */
function importOf({ node }: Site): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return literalOf(node.source);
    default:
      return undefined;
  }
}

function literalOf(node: object | null): string | undefined {
  return node !== null && 'value' in node && typeof node.value === 'string'
    ? node.value
    : undefined;
}

function roomTrespass(row: Row, path: string, wanted: string): string | undefined {
  const target = posix.normalize(posix.join(posix.dirname(path), wanted));
  if (!target.startsWith('src/')) return `src/ stands alone, so not ${target}`;
  const inside = target.slice('src/'.length);
  const own = roomOf(path) ?? '';
  if (roomOf(target) === own) return storeTrespass(path, target);
  if (row.rooms === 'any' || row.rooms.some((room) => opens(room, inside))) return undefined;
  return `${own} may not import ${inside}`;
}

/** Each store stands alone: what two of them share lies beside them, not in one of them. */
function storeTrespass(path: string, target: string): string | undefined {
  const [from, to] = [path, target].map((file) => /^src\/stores\/([^/]+)\//.exec(file)?.[1]);
  if (from === undefined || to === undefined || from === to) return undefined;
  return `the ${from} store may not import the ${to} store`;
}

function opens(room: string, target: string): boolean {
  return target === room || target === `${room}.ts` || target.startsWith(`${room}/`);
}

function packageTrespass(row: Row, wanted: string): string | undefined {
  if (row.packages === 'any') return undefined;
  const named = row.packages.some((name) =>
    name === NODE ? wanted.startsWith(NODE) : wanted === name || wanted.startsWith(`${name}/`),
  );
  return named ? undefined : `"${wanted}" is not among the packages named for this room`;
}

/** What the web app is made of. */
const STUDIO = /^(react|react-dom|@xyflow\/react)(\/|$)/;

/** The studio talks HTTP like any stranger: of ours it has what it draws with, and nothing else. */
function studioTrespass(path: string, wanted: string): string | undefined {
  // How it is built and tested is no part of it.
  if (path.startsWith('studio/testing/') || path.endsWith('.config.ts')) return undefined;
  const target = posix.normalize(posix.join(posix.dirname(path), wanted));
  const isOurs = /^(studio\/(?!testing\/)|src\/drawing\/)/.test(target);
  if (wanted.startsWith('.') ? isOurs : STUDIO.test(wanted)) return undefined;
  return `the studio imports itself, src/drawing, React and xyflow, so not "${wanted}"`;
}

/** Databases and web servers that examples work with: who copies one of those has its library. */
const LIBRARIES =
  /^(pg|drizzle-orm|kysely|@prisma\/[^/]+|express|hono|@hono\/node-server|next)(\/|$)/;

/** Examples are there to be copied, so they know nothing but what a user has. */
function exampleTrespass(path: string, wanted: string): string | undefined {
  const target = posix.normalize(posix.join(posix.dirname(path), wanted));
  if (wanted.startsWith('.') ? target.startsWith('examples/') : LIBRARIES.test(wanted)) {
    return undefined;
  }
  if (/^(node:|perdure(\/|$))/.test(wanted)) return undefined;
  const allowed = 'perdure, Node, its neighbours, databases and web servers';
  return `an example imports ${allowed}, so not "${wanted}"`;
}
