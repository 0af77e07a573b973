import type { AssertionKind } from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import { isRefusal, type Refusal } from '../jobs/refusal.ts';
import { identifier } from '../jobs/text/sql-words.ts';
import { listAt, numberAt, textAt } from '../parse/known-value.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { isNumeric, isTime } from '../types/type-families.ts';
import type { PlacedAssertion } from './assertion.ts';
import type { Check, CheckContext, Violations, WriteCheck } from './check.ts';
import { numberLiteral, writtenNumber } from './literals.ts';
import { columnOf, type FoundColumn, type Target, windowTime } from './target-table.ts';
import { ago, boundedInterval } from './time-words.ts';

/** Assertions that look at the records of a time together. */
export const windowChecks = { throughput, distribution, freshness } as const satisfies Partial<
  Record<AssertionKind, WriteCheck>
>;

/** Records per second are counted over a minute. */
const COUNTED_SECONDS = 60;

/**
 * Too few or too many records in a minute. A minute without any gives no window; a session that ends after a minute of silence
 * does. The first minute of a test, or after silence, is not a whole one, so that it cannot have too few.
 */
function throughput({ node, test }: PlacedAssertion, { target }: CheckContext): Check | Refusal {
  const { file } = test.definition;
  const [min, max] = [numberAt(node, 'min_per_second'), numberAt(node, 'max_per_second')];
  const bounds = [min, max].map((bound) => (bound === undefined ? undefined : writtenNumber(bound, file)));
  const [least, most] = bounds;
  const words = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  const expected = `${words.join(' and ')} records per second`;
  const time = identifier(target.processingTime ?? '');
  const minutes = [
    '(',
    '  SELECT `window_start`, `window_end`, `window_time`, COUNT(*) AS `records`',
    `  FROM TABLE(TUMBLE(TABLE ${target.from}, DESCRIPTOR(${time}), INTERVAL '${COUNTED_SECONDS}' SECOND))`,
    '  GROUP BY `window_start`, `window_end`, `window_time`',
    ')',
  ].join('\n');
  const measured = `CAST(\`records\` AS DOUBLE) / ${COUNTED_SECONDS} AS \`measured\``;
  const previous = 'LAG(`window_end`) OVER (ORDER BY `window_time`) AS `previous_end`';
  const counted = [
    '(',
    `  SELECT *, ${least === undefined ? measured : `${measured}, ${previous}`}`,
    `  FROM ${indented(minutes)}`,
    ') AS `minutes`',
  ].join('\n');
  const conditions = [
    ...(least === undefined
      ? []
      : [`(\`measured\` < CAST(${least} AS DOUBLE) AND \`previous_end\` = \`window_start\`)`]),
    ...(most === undefined ? [] : [`\`measured\` > CAST(${most} AS DOUBLE)`]),
  ];
  const shared = { column: undefined, expected, rows: 'windows' as const };
  const rate: Violations = { ...shared, from: counted, where: conditions.join(' OR ') };
  if (min === undefined || min.value === 0) return { violations: [rate] };
  const silence = silenceAfter(target, `INTERVAL '${COUNTED_SECONDS}' SECOND`, 'CAST(0 AS DOUBLE)');
  return { violations: [rate, { ...shared, from: silence, where: undefined }] };
}

/** Sessions of records that are followed by none for some time; the engine ends each by its own clock. */
function silenceAfter({ from, processingTime = '' }: Target, gap: string, measured: string): string {
  return [
    '(',
    `  SELECT \`window_start\`, \`window_end\`, COUNT(*) AS \`records\`, ${measured} AS \`measured\``,
    `  FROM TABLE(SESSION(TABLE ${from}, DESCRIPTOR(${identifier(processingTime)}), ${gap}))`,
    '  GROUP BY `window_start`, `window_end`',
    ') AS `sessions`',
  ].join('\n');
}

/** Shares are those of an hour. */
const SHARED_TIME = "INTERVAL '1' HOUR";

function distribution(assertion: PlacedAssertion, { target }: CheckContext): Check | Refusal {
  const { node, test } = assertion;
  const column = columnOf(target, textAt(node, 'column')?.value ?? '');
  if (isRefusal(column)) return column;
  const time = windowTime(target);
  if (!isNumeric(column.type) || time === undefined) {
    return { refused: `column ${quote(column.name)} is not read as a number` };
  }
  const violations: Violations[] = [];
  for (const bucket of listAt(node, 'buckets')?.items ?? []) {
    const inside = bucketCondition(bucket, column, test.definition.file);
    if (inside === undefined) return { refused: 'a bound of a bucket is no number of the engine' };
    const share = sharesOf(bucket);
    if (share.where === '') continue;
    const from = [
      '(',
      '  SELECT `window_start`, `window_end`, COUNT(*) AS `records`,',
      `    CAST(COUNT(*) FILTER (WHERE ${inside.sql}) AS DOUBLE) / COUNT(*) AS \`measured\``,
      `  FROM TABLE(TUMBLE(TABLE ${target.from}, DESCRIPTOR(${identifier(time)}), ${SHARED_TIME}))`,
      '  GROUP BY `window_start`, `window_end`',
      ') AS `hours`',
    ].join('\n');
    const expected = `a share of values ${inside.words} of ${share.words}`;
    violations.push({ column: column.name, expected, rows: 'windows', from, where: share.where });
  }
  return { violations };
}

function bucketCondition(
  bucket: TypedNode,
  { sql, type }: FoundColumn,
  file: PlacedAssertion['test']['definition']['file'],
): { readonly sql: string; readonly words: string } | undefined {
  const conditions: string[] = [];
  const words: string[] = [];
  for (const [key, operator, word] of [
    ['min', '>=', 'from'],
    ['max', '<', 'below'],
  ] as const) {
    const bound = numberAt(bucket, key);
    if (bound === undefined) continue;
    const digits = writtenNumber(bound, file);
    const literal = numberLiteral(digits, type);
    if (literal === undefined) return undefined;
    conditions.push(`${sql} ${operator} ${literal}`);
    words.push(`${word} ${digits}`);
  }
  if (conditions.length === 0) return { sql: `${sql} IS NOT NULL`, words: 'of any size' };
  return { sql: conditions.join(' AND '), words: words.join(' ') };
}

/** The condition under which a share is wrong; empty where every share is right. */
function sharesOf(bucket: TypedNode): { readonly where: string; readonly words: string } {
  const number = (key: string) => numberAt(bucket, key)?.value;
  const [expected, tolerance = 0] = [number('expected_ratio'), number('tolerance')];
  const low = Math.max(number('min_ratio') ?? 0, expected === undefined ? 0 : rounded(expected - tolerance));
  const high = Math.min(number('max_ratio') ?? 1, expected === undefined ? 1 : rounded(expected + tolerance));
  const conditions = [
    ...(low > 0 ? [`\`measured\` < CAST(${low} AS DOUBLE)`] : []),
    ...(high < 1 ? [`\`measured\` > CAST(${high} AS DOUBLE)`] : []),
  ];
  return { where: conditions.join(' OR '), words: `${low} to ${high}` };
}

/** 0.3 + 0.1 is 0.4. */
function rounded(share: number): number {
  return Number(share.toPrecision(12));
}

/** The age of the newest record, checked each minute with records, and when there are none for as long as it may be old. */
function freshness({ node }: PlacedAssertion, { target, nameOf }: CheckContext): Check | Refusal {
  const column = columnOf(target, textAt(node, 'column')?.value ?? '');
  if (isRefusal(column)) return column;
  const minutes = numberAt(node, 'max_age_minutes')?.value ?? 0;
  const length = boundedInterval(minutes * 60_000);
  const limit = ago(column.type, minutes * 60_000);
  if (isRefusal(length)) return length;
  if (isRefusal(limit) || !isTime(column.type)) return limit as Refusal;
  const view = nameOf(`${target.table.name}_newest`, 'view');
  const time = identifier(target.processingTime ?? '');
  const rows = `OVER (ORDER BY ${time} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
  const newest = [
    `CREATE TEMPORARY VIEW ${identifier(view)} AS`,
    `SELECT ${time}, MAX(${column.sql}) ${rows} AS \`newest\``,
    `FROM ${target.from}`,
  ].join('\n');
  const now = column.type.name === 'TIMESTAMP' ? 'LOCALTIMESTAMP' : 'CURRENT_TIMESTAMP';
  const age = `CAST(TIMESTAMPDIFF(SECOND, MAX(\`newest\`), ${now}) AS DOUBLE) / 60`;
  const windowed = (call: string) =>
    [
      '(',
      `  SELECT \`window_start\`, \`window_end\`, COUNT(*) AS \`records\`, ${age} AS \`measured\`, MAX(\`newest\`) AS \`newest\``,
      `  FROM TABLE(${call})`,
      '  GROUP BY `window_start`, `window_end`',
      ') AS `ages`',
    ].join('\n');
  const table = `TABLE ${identifier(view)}, DESCRIPTOR(${time})`;
  const calls = [
    `TUMBLE(${table}, INTERVAL '1' MINUTE)`,
    ...(minutes > 0 ? [`SESSION(${table}, ${length.sql})`] : []),
  ];
  const violations = calls.map(
    (call): Violations => ({
      column: column.name,
      expected: `a newest record of at most ${minutes} minutes before now`,
      rows: 'windows',
      from: windowed(call),
      where: `\`newest\` < ${limit.sql}`,
    }),
  );
  return { violations, views: [newest] };
}

function indented(sql: string): string {
  return sql.replaceAll('\n', '\n  ');
}
