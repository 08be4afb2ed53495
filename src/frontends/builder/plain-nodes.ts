/** The nodes that open no region: each method of the builder as a piece of the draft. */
import { begin, complain, readClosure, readOptions, show } from './checks.ts';
import { nodeIn, type Piece, type Region } from './path.ts';
import { readDuration } from './readers.ts';

export function drawSet(region: Region, name: unknown, value: unknown, options: unknown): Piece {
  const found = begin(name);
  const { in: where = 'scope' } = readOptions(found, `set "${found.node}"`, ['in'], options);
  if (where !== 'scope' && where !== 'instance') {
    const message = `"${found.node}" sets in 'scope' or in 'instance'; came ${show(where)}`;
    complain(found, 'set.bad-place', message);
  }
  return {
    nodes: [nodeIn(region, found.node, 'set', { in: where === 'instance' ? where : 'scope' })],
    code: [[found.node, readClosure(found, 'value', value)]],
    diagnostics: found.list,
    entry: found.node,
    exit: found.node,
  };
}

export function drawSleep(region: Region, name: unknown, duration: unknown): Piece {
  const found = begin(name);
  const asks = typeof duration === 'function';
  const rule = { code: 'sleep.bad-duration', what: `"${found.node}"` };
  const ms = asks ? undefined : readDuration(found, rule, duration);
  return {
    nodes: [nodeIn(region, found.node, 'sleep', ms === undefined ? {} : { ms })],
    code: asks ? [[found.node, readClosure(found, 'duration', duration)]] : [],
    diagnostics: found.list,
    entry: found.node,
    exit: found.node,
  };
}

export function drawTerminate(region: Region, name: unknown, output: unknown): Piece {
  const found = begin(name);
  const asks = output !== undefined;
  return {
    nodes: [nodeIn(region, found.node, 'terminate', { output: asks ? 'code' : 'none' })],
    code: asks ? [[found.node, readClosure(found, 'output', output)]] : [],
    diagnostics: found.list,
    entry: found.node,
  };
}
