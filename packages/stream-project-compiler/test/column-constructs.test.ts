import { describe, expect, test } from 'vitest';
import { type DiagnosticName, entryOf } from '../src/index.ts';
import { type EngineCase, engineCase } from './column-support/engine-case.ts';
import { sqlProject } from './column-support/sql-project.ts';
import { jsonRows } from './rows.ts';

interface Construct {
  readonly name: string;
  readonly statements: readonly string[];
  readonly result: Readonly<Record<string, { readonly ok: boolean }>>;
}

/** What is reported of a query that the planner refuses. The others need a sink, a key or a setting to be wrong. */
const refused: Readonly<Record<string, DiagnosticName>> = {
  'alias in group by': 'unknown-column',
  'alias in where': 'unknown-column',
  ambiguous: 'ambiguous-column',
  'create view of bare NULL': 'null-column',
  'dup output names into view': 'repeated-column-name',
  'group by ordinal': 'not-grouped',
  'hop size not multiple': 'window-size',
  'interval 120 MINUTE': 'interval-precision',
  'interval 365 DAY': 'interval-precision',
  'interval 7200 SECOND(4)': 'interval-precision',
  'interval 864000 SECOND(6)': 'interval-precision',
  lead: 'function-not-on-streams',
  'legacy cumulate': 'window-call',
  'legacy tumble bad interval alias': 'window-call',
  'mask: null bare': 'null-column',
  match_recognize: 'match-pattern',
  'non grouped column': 'not-grouped',
  'null bare into sink': 'null-column',
  'order by non time': 'order-without-time',
  'over order by time desc': 'over-window',
  'over two windows': 'over-window',
  'temporal join left no time attr': 'event-time-lost',
  'temporal join mixed ltz/ntz': 'temporal-join-without-time-attribute',
  'temporal join proctime upsert': 'temporal-join-on-processing-time',
  'temporal join right side no watermark': 'temporal-join-without-time-attribute',
  'test: null details without cast': 'null-column',
  'tvf on non-time': 'window-type',
};

/** Said of queries that the planner takes: they run, and are hardly meant like this. */
const allowed: ReadonlySet<DiagnosticName> = new Set([
  'key-of-changes',
  'plain-table',
  'unnamed-column',
  'window-grouping',
]);

const rows = jsonRows<Construct | { readonly base: readonly string[] }>('corpus/engine/constructs.jsonl');
const base = rows.flatMap((row) => ('base' in row ? row.base : []));
const cases = rows.flatMap((row) => {
  const found = 'base' in row ? undefined : engineCase(base, row.statements);
  if (found === undefined || 'base' in row) return [];
  const { ok } = row.result['all'] ?? row.result['2.2.0'] ?? { ok: false };
  return [{ name: row.name, ok, ...found }];
});

async function findings({ sql, tables }: EngineCase) {
  const { diagnostics } = await sqlProject(sql, tables);
  return diagnostics.map(({ code }): DiagnosticName => entryOf(code).name);
}

describe('a query that the planner takes', () => {
  const accepted = cases.filter(({ ok, sql }) => ok && /\bFROM\b/.test(sql));

  test('is in most of the file', () => {
    expect(accepted.length).toBeGreaterThan(80);
  });

  test.each(accepted)('$name: nothing is wrong with its columns', async (one) => {
    expect((await findings(one)).filter((name) => !allowed.has(name))).toEqual([]);
  });
});

describe('a query that the planner refuses', () => {
  test.each(Object.entries(refused))('%s: %s', async (name, wanted) => {
    const one = cases.find((found) => found.name === name && !found.ok);
    expect(one === undefined ? [] : await findings(one)).toContain(wanted);
  });
});
