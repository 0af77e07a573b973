import { columnType } from '../jobs/create-table.ts';
import { literal, literalWithVariables, withoutVariables } from '../jobs/text/sql-words.ts';
import type { LeafNode } from '../parse/typed-node.ts';
import { isReplaced } from '../resolve/place-in-file.ts';
import type { SourceFile } from '../text/source-file.ts';
import type { SqlType } from '../types/sql-type.ts';
import { familyOf, type TypeFamily } from '../types/type-families.ts';

/**
 * A value of a test as a literal of the type of a column, so that the engine compares the two without conversions of its own.
 * Undefined where the type has no such value. Variables in text stay as they are written.
 */
export function typedLiteral(leaf: LeafNode, type: SqlType, file: SourceFile): string | undefined {
  const { value, scalar } = leaf;
  if (isReplaced(leaf)) {
    const text = literalWithVariables(String(scalar.value));
    return familyOf(type) === 'text' ? text : `CAST(${text} AS ${columnType(type)})`;
  }
  if (typeof value === 'number') return numberLiteral(writtenNumber(leaf, file), type);
  if (typeof value === 'boolean') return type.name === 'BOOLEAN' ? booleanLiteral(value) : undefined;
  return typeof value === 'string' ? textLiterals[familyOf(type)]?.(value, type) : undefined;
}

function booleanLiteral(value: boolean): string {
  return value ? 'TRUE' : 'FALSE';
}

/** A number as it is written where that is plain digits, for numbers of YAML have fewer of them. */
export function writtenNumber({ value, scalar }: LeafNode, { text }: SourceFile): string {
  const written = text.slice(scalar.span.start, scalar.span.end);
  const isPlain = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(written) && written.length <= MAX_DIGITS;
  return isPlain && Number(written) === value ? written : String(value);
}

/** Longer ones are no exact literals of the engine. */
const MAX_DIGITS = 38;

/** A number as a literal for a column of a type; undefined for what is no number of the engine. */
export function numberLiteral(digits: string, type: SqlType): string | undefined {
  if (familyOf(type) !== 'number' || !Number.isFinite(Number(digits))) return undefined;
  const isApproximate = type.name === 'FLOAT' || type.name === 'DOUBLE';
  return isApproximate ? `CAST(${digits} AS ${type.name})` : digits.replace('e', 'E');
}

/** How text is a literal, by family of types: times and booleans too, as times are in no other form in YAML. */
const textLiterals: Readonly<
  Partial<Record<TypeFamily, (value: string, type: SqlType) => string | undefined>>
> = {
  text: (value) => literal(value),
  boolean: (value) => (/^(?:true|false)$/i.test(value) ? value.toUpperCase() : undefined),
  date: (value) => (isDate(value) ? `DATE '${value}'` : undefined),
  time: (value) => (timeOfDay.test(value) ? `TIME '${value}'` : undefined),
  timestamp: timestampLiteral,
};

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/;

const timestamp = /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d(?:\.\d{1,9})?))?(Z?)$/;

/** Sessions of tests have the zone UTC, so that a timestamp without a zone is one of UTC. */
function timestampLiteral(value: string, type: SqlType): string | undefined {
  const [, date = '', minutes = '', seconds = ':00', zone = ''] = timestamp.exec(value) ?? [];
  const isLocal = type.name === 'TIMESTAMP_LTZ';
  if (!isDate(date) || (zone !== '' && !isLocal)) return undefined;
  const text = `TIMESTAMP '${date} ${minutes}${seconds}'`;
  return isLocal ? `CAST(${text} AS ${columnType(type)})` : text;
}

/** Whether it is a day of the calendar. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** Several columns as one text, which two rows have only if all values are equal. Times are no values of JSON. */
export function jsonArray(parts: readonly { readonly sql: string; readonly type: SqlType }[]): string {
  const values = parts.map(({ sql, type }) => {
    const isPlain = jsonFamilies.has(familyOf(type));
    return isPlain ? sql : `CAST(${sql} AS STRING)`;
  });
  return `JSON_ARRAY(${values.join(', ')} NULL ON NULL)`;
}

const jsonFamilies: ReadonlySet<string> = new Set(['text', 'number', 'boolean']);

/** A value as people read it, for the inside of a literal: variables stay as they are written, and nothing else is one. */
export function shownValue(leaf: LeafNode): string {
  const { value, scalar } = leaf;
  return isReplaced(leaf) ? String(scalar.value) : withoutVariables(String(value));
}
