import { parseSql } from '@levada/stream-sql';
import { describe, expect, it } from 'vitest';
import { cells, jsonRows } from './rows.ts';

interface Outcome {
  readonly ok: boolean;
  /** Index of the statement, line and column; the places are missing where the planner gives none. */
  readonly at?: readonly [number, number | null, number | null];
  readonly message?: string;
}

interface Construct {
  readonly name: string;
  readonly statements: readonly string[];
  readonly result: Readonly<Record<string, Outcome>>;
}

interface Statement {
  readonly name: string;
  readonly query: string;
  readonly outcome: 'accepted' | 'refused for its syntax' | 'refused by the planner';
}

/** The statement around a query; the compiler writes it itself. */
const FRAME = /^(?:EXPLAIN CHANGELOG_MODE )?(?:INSERT INTO \w+|CREATE VIEW \w+ AS) /;
const QUERY = /^(?:SELECT|WITH|VALUES|\()/;

/** Refusals that come from the parser, not from the planner. */
const SYNTAX = /^(?:Encountered|Incorrect syntax|Bang equal|Lexical error|only single statement)/;

const constructs = jsonRows<Construct | { base: string[] }>('corpus/engine/constructs.jsonl');

function statementsOf({ name, statements, result }: Construct): Statement[] {
  const outcome = result['all'] ?? result['2.2.0'];
  return statements.flatMap((statement, index): Statement[] => {
    const query = statement.replace(FRAME, '');
    if (!QUERY.test(query)) return [];
    if (outcome === undefined || outcome.ok || outcome.at?.[0] !== index) {
      return [{ name, query, outcome: 'accepted' }];
    }
    const syntax = SYNTAX.test(outcome.message ?? '');
    return [{ name, query, outcome: syntax ? 'refused for its syntax' : 'refused by the planner' }];
  });
}

const statements = constructs.flatMap((row) => ('base' in row ? [] : statementsOf(row)));

// The planner had no project to take the macro from
const macros = statements.filter(({ query }) => query.includes('{{ ref('));

describe('queries that the planner has seen', () => {
  it.each(statements.filter(({ outcome }) => outcome === 'accepted'))('$name: no complaint', ({ query }) => {
    expect(parseSql(query).diagnostics).toEqual([]);
  });

  it.each(statements.filter((row) => row.outcome === 'refused for its syntax' && !macros.includes(row)))(
    '$name: a complaint about the syntax',
    ({ query }) => {
      expect(parseSql(query).diagnostics).not.toEqual([]);
    },
  );

  it.each(statements.filter(({ outcome }) => outcome === 'refused by the planner'))(
    '$name: a tree, for a later stage to complain about',
    ({ query }) => {
      expect(parseSql(query)).toMatchObject({ query: { kind: 'query' }, diagnostics: [] });
    },
  );

  it('makes up a good part of the file', () => {
    const counts = Object.groupBy(statements, ({ outcome }) => outcome);
    expect(counts.accepted?.length).toBeGreaterThan(100);
    expect(counts['refused by the planner']?.length).toBeGreaterThan(40);
    expect(counts['refused for its syntax']?.length).toBeGreaterThan(4);
  });
});

/** Operators whose mistakes the planner finds and we find as well. */
const FOREIGN = /ILIKE|RLIKE/;

describe('expressions whose types are known', () => {
  const rows = cells('corpus/engine/types.tsv').filter(([kind]) => kind !== 'kind');
  const syntax = rows.filter(([, , , result]) => SYNTAX.test(result?.replace(/^!/, '') ?? ''));

  it.each(rows.filter((row) => !syntax.includes(row) && !FOREIGN.test(row[1] ?? '')))(
    '%s %s: no complaint',
    (_, expression) => {
      expect(parseSql(`SELECT ${expression} FROM t`).diagnostics).toEqual([]);
    },
  );

  it.each(syntax)('%s %s: a complaint about the syntax', (_, expression) => {
    expect(parseSql(`SELECT ${expression} FROM t`).diagnostics).not.toEqual([]);
  });
});

describe('words of the engine', () => {
  const rows = cells('corpus/engine/keywords-2.2.0.tsv');
  const places = [
    'SELECT a AS @ FROM t',
    'SELECT t.@ FROM t',
    'SELECT a FROM t AS @',
    'SELECT a FROM @ AS x',
  ];

  it.each(rows)('%s is %s as a name', (word, use) => {
    const codes = places.map((place) => parseSql(place.replace('@', word ?? '')).diagnostics[0]?.code);
    expect(codes.map((code) => code !== undefined)).toEqual(places.map(() => use?.trim() !== 'free'));
    expect(codes.slice(0, 3)).toEqual(
      places.slice(0, 3).map(() => (use?.trim() === 'free' ? undefined : 'sql-reserved-word')),
    );
  });

  it.each(rows)('%s (%s) is a name in backticks', (word) => {
    for (const place of places) {
      expect(parseSql(place.replace('@', `\`${word}\``)).diagnostics).toEqual([]);
    }
  });
});
