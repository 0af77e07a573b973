import type { AssertionKind } from '@levada/stream-project-schema';
import { takesWatermark } from '../columns/nodes/node-columns.ts';
import { quote } from '../diagnostics/quote.ts';
import { type JobTable, watermarkOf } from '../jobs/create-table.ts';
import { versionView } from '../jobs/input-tables.ts';
import { isRefusal, type Refusal } from '../jobs/refusal.ts';
import { identifier } from '../jobs/text/sql-words.ts';
import { formatOfSome, madeBy, readKey, type TableColumn, type TopicTable } from '../jobs/topic-table.ts';
import { numberAt, textAt } from '../parse/known-value.ts';
import { nodeId } from '../resolve/node-id.ts';
import { typeName } from '../types/print-type.ts';
import type { SqlType } from '../types/sql-type.ts';
import { familyOf, isInteger } from '../types/type-families.ts';
import type { PlacedAssertion } from './assertion.ts';
import type { Check, CheckContext, WriteCheck } from './check.ts';
import { jsonArray, shownValue } from './literals.ts';
import { columnOf, type FoundColumn, keyParts, windowTime } from './target-table.ts';
import { boundedInterval, windowLength } from './time-words.ts';

/** Assertions that look for other records. */
export const keyChecks = { unique_key: uniqueKey, foreign_key: foreignKey } as const satisfies Partial<
  Record<AssertionKind, WriteCheck>
>;

const comparable: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'date', 'time', 'timestamp']);

function uniqueKey(assertion: PlacedAssertion, context: CheckContext): Check | Refusal {
  const { node } = assertion;
  const { target } = context;
  if (target.topic.rows !== 'append') {
    return {
      refused: 'rows of the model are written again when they change, so that each key comes many times',
      hint: 'test an input of the model',
    };
  }
  const parts: FoundColumn[] = [];
  for (const name of keyParts(node)) {
    const column = columnOf(target, name);
    if (isRefusal(column)) return column;
    if (!comparable.has(familyOf(column.type))) {
      return { refused: `the engine cannot compare column ${quote(name)} of type ${typeName(column.type)}` };
    }
    parts.push(column);
  }
  const window = textAt(node, 'window');
  const tolerance = numberAt(node, 'tolerance')?.value ?? 0;
  const length = window === undefined ? undefined : boundedInterval(windowLength(window.value) ?? 0);
  if (length !== undefined && isRefusal(length)) return length;
  if (tolerance === 0)
    return repeats(parts, { context, window: window && shownValue(window), length: length?.sql });
  if (window === undefined || length === undefined) {
    return {
      refused: '"tolerance" is a share of the records, and without a window there is no end of them',
      hint: 'add "window"',
    };
  }
  return share(parts, { context, window: shownValue(window), length: length.sql, tolerance });
}

interface KeyFacts {
  readonly context: CheckContext;
  /** As it is written. */
  readonly window: string | undefined;
  readonly length: string | undefined;
}

/** Records with the key of one before them, within the time or at all. */
function repeats(parts: readonly FoundColumn[], { context: { target }, window, length }: KeyFacts): Check {
  const { from } = target;
  const time = identifier((length === undefined ? target.processingTime : windowTime(target)) ?? '');
  const rows =
    length === undefined
      ? 'ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW'
      : `RANGE BETWEEN ${length} PRECEDING AND CURRENT ROW`;
  let count = 'repeats';
  while (target.columns.some(({ name }) => name === count)) count = `${count}_`;
  const keys = parts.map(({ sql }) => sql).join(', ');
  const counted = [
    '(',
    `  SELECT *, COUNT(*) OVER (PARTITION BY ${keys} ORDER BY ${time} ${rows}) AS ${identifier(count)}`,
    `  FROM ${from}`,
    `  WHERE ${isThere(parts)}`,
    `) AS ${from}`,
  ].join('\n');
  const where = `${identifier(count)} > 1`;
  const expected = window === undefined ? 'a key that comes once' : `a key that comes once within ${window}`;
  return { violations: [{ column: nameOf(parts), expected, rows: 'records', from: counted, where }] };
}

function nameOf(parts: readonly FoundColumn[]): string {
  return parts.map(({ name }) => name).join(', ');
}

/** Records without a key repeat none. */
function isThere(parts: readonly FoundColumn[]): string {
  return parts.map(({ sql }) => `${sql} IS NOT NULL`).join(' AND ');
}

/** Windows in which too many records repeat a key. */
function share(
  parts: readonly FoundColumn[],
  { context: { target }, window, length, tolerance }: KeyFacts & { readonly tolerance: number },
): Check {
  const [only, another] = parts;
  const key = only !== undefined && another === undefined ? only.sql : jsonArray(parts);
  const from = [
    '(',
    '  SELECT `window_start`, `window_end`, COUNT(*) AS `records`,',
    `    CAST(COUNT(*) - COUNT(DISTINCT ${key}) AS DOUBLE) / COUNT(*) AS \`measured\``,
    `  FROM TABLE(TUMBLE(TABLE ${target.from}, DESCRIPTOR(${identifier(windowTime(target) ?? '')}), ${length}))`,
    `  WHERE ${isThere(parts)}`,
    '  GROUP BY `window_start`, `window_end`',
    ') AS `windows`',
  ].join('\n');
  const expected = `at most a share of ${tolerance} of records that repeat a key within ${window}`;
  const where = `\`measured\` > CAST(${tolerance} AS DOUBLE)`;
  return { violations: [{ column: nameOf(parts), expected, rows: 'windows', from, where }] };
}

/** Records whose value is no key of the other model at the time of their event. */
function foreignKey({ node }: PlacedAssertion, context: CheckContext): Check | Refusal {
  const { target, facts, nameOf: give } = context;
  const column = columnOf(target, textAt(node, 'column')?.value ?? '');
  if (isRefusal(column)) return column;
  const [model = '', key = ''] = [textAt(node, 'ref_model')?.value, textAt(node, 'ref_key')?.value];
  const id = nodeId('model', model);
  const topic = facts.topicOf(id);
  if (topic === undefined) return { refused: `model ${quote(model)} has no topic` };
  const { eventTime } = target;
  if (eventTime === undefined) {
    return {
      refused: `the model under test has no event time, so it is not known when a key of ${quote(model)} must be there`,
      hint: 'declare "event_time" of its source, and select the column unchanged',
    };
  }
  const other = keyTable(topic, { key, column, context, model });
  if (isRefusal(other)) return other;
  const time = target.columns.find(({ name }) => name === eventTime.column)?.type;
  const otherTime = watermarkOf(other)?.column;
  const otherType = other.columns.find(({ name }) => name === otherTime)?.type;
  if (time === undefined || otherType === undefined || !takesWatermark(otherType)) {
    return {
      refused: `model ${quote(model)} has no event time, so it is not known when a key of it is there`,
      hint: 'say when its rows change in "event_time"',
    };
  }
  if (time.name !== otherType.name) {
    return {
      refused: `event times are ${typeName(time)} here and ${typeName(otherType)} in model ${quote(model)}`,
    };
  }
  const view = other.rows === 'upsert' ? undefined : versionView(other, [key], give);
  const name = identifier(view?.name ?? other.name);
  const keyType = other.columns.find((one) => one.name === key)?.type;
  const compared = keyType === undefined ? undefined : asKey(column, keyType);
  if (compared === undefined) {
    return {
      refused: `${quote(column.name)} is ${typeName(column.type)} and ${quote(key)} is ${keyType === undefined ? 'not known' : typeName(keyType)}`,
      hint: 'cast one of them in the SQL of its model',
    };
  }
  const { from } = target;
  const foreign = `${name}.${identifier(key)}`;
  const missing = [
    '(',
    `  SELECT ${from}.*`,
    `  FROM ${from}`,
    `  LEFT JOIN ${name} FOR SYSTEM_TIME AS OF ${from}.${identifier(eventTime.column)}`,
    `    ON ${compared} = ${foreign}`,
    `  WHERE ${foreign} IS NULL AND ${qualified(column, from)} IS NOT NULL`,
    `) AS ${from}`,
  ].join('\n');
  const expected = `a value of "${key}" of "${model}"`;
  return {
    violations: [{ column: column.name, expected, rows: 'records', from: missing, where: undefined }],
    tables: [other],
    views: view === undefined ? [] : [view.sql],
    reads: [id],
  };

  function qualified({ sql }: FoundColumn, table: string): string {
    return sql.startsWith(`${table}.`) ? sql : `${table}.${sql}`;
  }

  function asKey(own: FoundColumn, to: SqlType): string | undefined {
    const sql = qualified(own, target.from);
    const families = [familyOf(own.type), familyOf(to)];
    if (families[0] !== families[1] || !comparable.has(families[0] ?? '')) return undefined;
    if (families[0] === 'text' || typeName(own.type) === typeName(to)) return sql;
    return isInteger(own.type) && to.name === 'BIGINT' ? `CAST(${sql} AS BIGINT)` : undefined;
  }
}

/** The table of the model that has the keys. */
function keyTable(
  topic: TopicTable,
  {
    key,
    column,
    context,
    model,
  }: {
    readonly key: string;
    readonly column: FoundColumn;
    readonly context: CheckContext;
    readonly model: string;
  },
): JobTable | Refusal {
  if (topic.rows !== 'append' && (topic.key.length !== 1 || topic.key[0] !== key)) {
    const kind = topic.node.startsWith('source:') ? 'source' : 'model';
    return {
      refused: `rows of ${kind} ${quote(model)} change, and their key is not ${quote(key)}`,
      hint: `write "key: ${key}" in that ${kind}`,
    };
  }
  const known = topic.columns.flatMap((one): TableColumn[] =>
    one.type === undefined || one.processingTime === true
      ? []
      : [{ name: one.name, type: one.type, ...madeBy(one) }],
  );
  const hasKey = known.some(({ name }) => name === key);
  const columns = hasKey || topic.complete ? known : [...known, { name: key, type: column.type }];
  return {
    name: context.nameOf(model, 'keys'),
    topic: topic.topic,
    at: topic.at,
    rows: topic.rows,
    format: topic.format,
    columns,
    ...readKey(topic),
    eventTime: topic.eventTime,
    written: formatOfSome(topic),
    group: context.group,
  };
}
