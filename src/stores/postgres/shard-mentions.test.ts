/** Every statement names the shard of whatever it touches (D18), as its text shows. */
import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from './migrations.gen.ts';
import * as queries from './queries.ts';

describe('by the text of the statements', () => {
  const { own: others, ...shared } = queries;
  const functions = MIGRATIONS.flatMap(({ sql }) => [...sql.matchAll(/\$\$(.*?)\$\$/gs)]);
  const parts = functions.flatMap(([, body = '']) => body.split(';'));
  const statements = [
    ...Object.entries({ ...shared, ...others }),
    ...parts.map((part) => ['a part of a function', part] as const),
  ];

  test('each names the shard of whatever it touches', () => {
    const tables = MIGRATIONS.flatMap(({ sql }) => [
      ...sql.matchAll(/create table perdure\.(\w+) \((.*?)\n\);/gs),
    ]);
    const names = tables.flatMap(([, name = '', body = '']) =>
      /^\s*shard\s/m.test(body) ? [name] : [],
    );
    expect(names.length).toBeGreaterThan(12);
    const mentioned = statements.filter(([, sql]) => mentionsOf(sql, names).length > 0);
    expect(mentioned.length).toBeGreaterThan(70);
    expect(parts.length).toBeGreaterThan(10);
    expect(
      mentioned.flatMap(([name, sql]) => strays(sql, names).map((table) => [name, table])),
    ).toEqual([]);
  });

  test.each([
    'select id from perdure.token where instance_id = $1',
    'delete from perdure.token as t where t.id = $1',
    'insert into perdure.token (instance_id, id) values ($1, $2)',
    'update perdure.token as t set id = 1 from perdure.instance as i where i.shard = t.shard',
    'select id from perdure.token where id in (select id from perdure.instance where shard = $1)',
    'select t.id from perdure.token as t order by t.shard',
  ])('one that does not is found out: %s', (sql) => {
    expect(strays(sql, ['token', 'instance'])).toContain('token');
  });
});

interface Mention {
  readonly table: string;
  /** The word for it in the rest of the statement. */
  readonly alias: string | undefined;
  /** What is said from there on, up to the next table. */
  readonly rest: string;
}

function mentionsOf(sql: string, tables: readonly string[]): readonly Mention[] {
  const mention = new RegExp(`perdure\\.(${tables.join('|')})\\b(?: as (\\w+))?`, 'g');
  const found = [...sql.matchAll(mention)];
  return found.map((match, index) => ({
    table: String(match[1]),
    alias: match[2],
    rest: sql.slice(match.index + match[0].length, found[index + 1]?.index),
  }));
}

/** Tables that are mentioned without their shard being given. */
function strays(sql: string, tables: readonly string[]): string[] {
  return mentionsOf(sql, tables)
    .filter(({ alias, rest }) => {
      if (/^\s*\(shard,/.test(rest)) return false;
      // With a word of its own it may be said anywhere, and without one it must be said here.
      const word = alias === undefined ? 'shard' : `${alias}\\.shard`;
      const isGiven = new RegExp(`(\\(${word},[^)]*\\)\\s*|(^|\\s)${word} )=`);
      return !isGiven.test(alias === undefined ? rest : sql);
    })
    .map(({ table }) => table);
}
