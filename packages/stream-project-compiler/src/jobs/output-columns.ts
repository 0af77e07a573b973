import { isAppend } from '../changelog/changes.ts';
import type { RelationColumn } from '../columns/relations/relation.ts';
import { quote } from '../diagnostics/quote.ts';
import { keepsApart, type Mask } from '../infer/masks.ts';
import type { NodeChanges } from '../infer/node-inference.ts';
import type { SqlType } from '../types/sql-type.ts';
import { columnType } from './create-table.ts';
import type { Refusal } from './refusal.ts';
import { maskedValue } from './text/masks.ts';
import { identifier } from './text/sql-words.ts';
import type { TopicRows } from './topic-table.ts';

/** A column of the output, and what gives it. */
export interface OutputColumn {
  readonly name: string;
  readonly type: SqlType;
  /** An expression over the columns of the query; undefined where the column is as the query gives it. */
  readonly sql: string | undefined;
  /** No row has a null in it, although its type has nulls. */
  readonly noNulls?: true;
}

/** What decides about columns beside the query. */
interface OutputFacts {
  readonly masks: readonly Mask[];
  /** The one column that stays a time attribute; the engine refuses rows with several. */
  readonly eventTime: string | undefined;
}

/** The columns that a job writes: masked, and with one event time at most. */
export function outputColumns(
  columns: readonly RelationColumn[],
  { masks, eventTime }: OutputFacts,
): readonly OutputColumn[] | Refusal {
  const times = columns.filter(isTime).map(({ name }) => name);
  const kept = times.find((name) => name === eventTime) ?? times[0];
  const made: OutputColumn[] = [];
  for (const column of columns) {
    const { name, type } = column;
    if (type === undefined || !isKnown(type)) return typeRefusal(quote(column.written ?? name), type);
    const mask = masks.find((one) => one.column === name);
    const masked = mask === undefined ? undefined : maskedValue(mask, type);
    if (mask !== undefined && masked === undefined) {
      return {
        refused: `the engine has no function for the mask ${quote(mask.method)} of column ${quote(column.written ?? name)}`,
        hint:
          mask.secret === undefined
            ? 'write "method: hash"'
            : 'write "method: hash" with a variable as its "secret"',
      };
    }
    const sql = isTime(column) && name !== kept ? plainTime(name, type) : undefined;
    const noNulls = masked === undefined && column.nulls?.kind === 'none';
    made.push({
      name,
      type: masked?.type ?? type,
      sql: masked?.sql ?? sql,
      ...(noNulls ? { noNulls } : {}),
    });
  }
  return made;
}

function plainTime(name: string, type: SqlType): string {
  return `CAST(${identifier(name)} AS ${columnType(type)})`;
}

/**
 * The columns of a view: of its times only the event time is one. The planner takes some for times that are none, such as `MAX` of a
 * time, and fails where the view is read: "Type mismatch: TIMESTAMP(3) -> TIMESTAMP(3) *ROWTIME*".
 */
export function viewColumns(
  outputs: readonly OutputColumn[],
  columns: readonly RelationColumn[],
  { eventTime, isSet }: { readonly eventTime: string | undefined; readonly isSet: boolean },
): readonly OutputColumn[] {
  return outputs.map((output, index) => {
    const column = columns[index];
    if (column === undefined || output.sql !== undefined) return output;
    const isEventTime = output.name === eventTime && column.time !== undefined;
    // Of EXCEPT and the like the planner may take the time of one operand for that of all
    const isPlain = !isEventTime && (isTime(column) || (isSet && isStamp(column)));
    return isPlain ? { ...output, sql: plainTime(output.name, output.type) } : output;
  });
}

/** Rows with several times are refused by the types that the planner gives them, whether they still are time attributes or not. */
function isTime({ time, type, marked }: RelationColumn): boolean {
  return isStamp({ type }) && (time === 'event' || time === 'uncertain' || marked === true);
}

function isStamp({ type }: Pick<RelationColumn, 'type'>): boolean {
  return type?.name === 'TIMESTAMP' || type?.name === 'TIMESTAMP_LTZ';
}

/** Why a table cannot have a column of a type. */
export function typeRefusal(column: string, type: SqlType | undefined): Refusal {
  if (type !== undefined && hasPart(type, 'INTERVAL')) {
    const hint = 'write CAST(... AS STRING), or TIMESTAMPDIFF for a number';
    return { refused: `its column ${column} has an interval, which no table of the engine has`, hint };
  }
  if (type !== undefined && hasPart(type, 'NULL')) {
    const hint = 'write CAST(NULL AS STRING), or the type that is meant';
    return { refused: `its column ${column} has a NULL without a type`, hint };
  }
  return {
    refused: `the type of its column ${column} is not known`,
    hint: 'write CAST around it, or declare the types of the columns that it is made of',
  };
}

function hasPart(type: SqlType | undefined, name: SqlType['name']): boolean {
  if (type === undefined) return false;
  if (type.name === name) return true;
  if ('element' in type) return hasPart(type.element, name);
  if ('key' in type) return hasPart(type.key, name) || hasPart(type.value, name);
  return 'fields' in type && type.fields.some((field) => hasPart(field.type, name));
}

/** Whether a table can have a column of this type. */
function isKnown(type: SqlType | undefined): boolean {
  if (type === undefined || type.name === 'NULL' || type.name === 'INTERVAL') return false;
  if ('element' in type) return isKnown(type.element);
  if ('key' in type) return isKnown(type.key) && isKnown(type.value);
  return !('fields' in type) || type.fields.every((field) => isKnown(field.type));
}

/** How rows are written, and by which key. */
export interface SinkRows {
  readonly rows: TopicRows;
  readonly key: readonly string[];
}

/**
 * How the rows of a query are written: appended ones under the key that the model names; changing ones by the key of the topic, if
 * it has one, else with the rows before and after each change.
 */
export function sinkRows(
  { query, topic }: NodeChanges,
  outputs: readonly Pick<OutputColumn, 'name'>[],
  named: string | undefined,
): SinkRows {
  const given = outputs.flatMap(({ name }) => (name === named ? name : []));
  if (isAppend(query)) return { rows: 'append', key: given };
  const [key] = topic.keys;
  if (given.length === 0 && key === undefined) return { rows: 'changelog', key: [] };
  return {
    rows: 'upsert',
    key: given.length > 0 ? given : (key ?? []).flatMap((at) => outputs[at]?.name ?? []),
  };
}

/**
 * Why rows that change could never be withdrawn: unless the engine finds a row by a key of the query, it looks for one that is equal
 * to the one that it withdraws, and none is where a function has another value each time.
 */
export function withdrawalRefusal(
  { query, varying }: NodeChanges,
  outputs: readonly OutputColumn[],
  { rows, key }: SinkRows,
): Refusal | undefined {
  if (varying === undefined || rows === 'append') return undefined;
  const isKept = (at: number) => outputs[at]?.sql === undefined && key.includes(outputs[at]?.name ?? '');
  if (rows === 'upsert' && query.keys.some((one) => one.every(isKept))) return undefined;
  const found = rows === 'upsert' ? `${quote(key.join(', '))} is no key of its query` : 'it has no key';
  return {
    refused: `its rows change, ${found}, and ${varying} has another value for a row that is withdrawn than for the row that was written`,
    hint: `use a column in place of ${varying}, or a query with a key that its rows are written by`,
  };
}

/**
 * Hides the key of joined rows from the planner, which then gives joins the rows before each change as well: FLINK-38579 and
 * FLINK-40681. It cannot see that both values of IF are the same.
 */
export function hideKey(
  outputs: readonly OutputColumn[],
  { changes, sink }: { readonly changes: NodeChanges | undefined; readonly sink: SinkRows },
): readonly OutputColumn[] {
  // Without a key the engine looks for the whole row that it withdraws, in which such a value is another one
  const mayHide =
    changes?.query.isHalfFed === true && changes.varying === undefined && sink.rows === 'upsert';
  if (!mayHide) return outputs;
  return outputs.map((output) => {
    if (output.sql !== undefined || !sink.key.includes(output.name)) return output;
    const name = identifier(output.name);
    return { ...output, sql: `IF(${name} IS NULL, ${name}, ${name})` };
  });
}

/** Why rows that change would replace each other: a mask makes the key that the model names the same for several of them. */
export function mergedKeyRefusal({ rows, key }: SinkRows, masks: readonly Mask[]): Refusal | undefined {
  const merging = masks.find(
    (mask) => mask.roles === undefined && !keepsApart(mask) && key.includes(mask.column),
  );
  if (merging === undefined || rows !== 'upsert') return undefined;
  return {
    refused: `its rows change, and mask ${quote(merging.method)} of their key ${quote(merging.column)} makes one row of several`,
    hint: 'write "method: hash", or choose another key',
  };
}
