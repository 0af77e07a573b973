import type { AssertionKind } from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import { columnType } from '../jobs/create-table.ts';
import { isRefusal, type Refusal } from '../jobs/refusal.ts';
import { isText, listAt, numberAt, objectAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { shownText } from '../resolve/place-in-file.ts';
import { castable } from '../types/cast-type.ts';
import { typeName } from '../types/print-type.ts';
import { decimal, plain, type SqlType, text, time } from '../types/sql-type.ts';
import { familyOf, isNumeric, isText as isTextType } from '../types/type-families.ts';
import { declaredType } from '../types/type-of-data-type.ts';
import type { PlacedAssertion } from './assertion.ts';
import type { Check, CheckContext, Violations, WriteCheck } from './check.ts';
import { numberLiteral, shownValue, typedLiteral, writtenNumber } from './literals.ts';
import { columnOf, type FoundColumn, type Target } from './target-table.ts';
import { ago } from './time-words.ts';

/** Assertions that look at one record at a time. */
export const rowChecks = {
  not_null: notNull,
  accepted_values: acceptedValues,
  accepted_types: acceptedTypes,
  range,
  positive,
  max_lag: maxLag,
} as const satisfies Partial<Record<AssertionKind, WriteCheck>>;

function notNull({ node }: PlacedAssertion, { target }: CheckContext): Check | Refusal {
  const names = (listAt(node, 'columns')?.items ?? []).filter(isText).map(({ value }) => value);
  return each(names, target, (column) => records(target, column, 'not null', `${column.sql} IS NULL`));
}

/** Values that the message lists; more are counted. */
const MAX_SHOWN = 10;

function acceptedValues({ node, test }: PlacedAssertion, { target }: CheckContext): Check | Refusal {
  return one(node, target, (column) => {
    const leaves = (listAt(node, 'values')?.items ?? []).flatMap((item) =>
      item.kind === 'leaf' ? item : [],
    );
    const given = leaves.filter(({ value }) => value !== null);
    const literals: string[] = [];
    for (const leaf of given) {
      const made = typedLiteral(leaf, column.type, test.definition.file);
      if (made === undefined) {
        const value = quote(shownText(leaf, String(leaf.value)));
        return { refused: `${value} cannot be compared with a column of type ${typeName(column.type)}` };
      }
      literals.push(made);
    }
    const more = given.length - MAX_SHOWN;
    const shown = given.slice(0, MAX_SHOWN).map(shownValue).join(', ');
    const expected = `one of ${shown}${more > 0 ? ` and ${more} more` : ''}`;
    if (leaves.length === 0) return records(target, column, 'no value', 'TRUE');
    const isThere = `${column.sql} IS NOT NULL`;
    if (literals.length === 0) return records(target, column, 'null', isThere);
    return records(target, column, expected, `${isThere} AND ${column.sql} NOT IN (${literals.join(', ')})`);
  });
}

/** Types of the words that the engine does not know, and of those that it reads in another way than people mean them. */
const words: ReadonlyMap<string, SqlType> = new Map([
  ['str', text('VARCHAR')],
  ['text', text('VARCHAR')],
  ['number', plain('DOUBLE')],
  ['long', plain('BIGINT')],
  ['bool', plain('BOOLEAN')],
  ['datetime', time('TIMESTAMP', 3)],
]);

function acceptedTypes({ node }: PlacedAssertion, { target }: CheckContext): Check | Refusal {
  const found: Violations[] = [];
  for (const { key, node: written } of objectAt(node, 'types')?.entries.values() ?? []) {
    const column = columnOf(target, key);
    if (isRefusal(column)) return column;
    const word = isText(written) ? written.value : '';
    const type = words.get(word.toLowerCase()) ?? declaredType(word);
    const misfit = type === undefined ? undefined : misfitOf(column, type);
    if (type === undefined || misfit === undefined) {
      return {
        refused: `the engine cannot read ${typeName(column.type)} as ${type === undefined ? quote(word) : typeName(type)}`,
      };
    }
    const where = `${column.sql} IS NOT NULL AND ${misfit}`;
    if (misfit !== '') found.push(records(target, column, `a value of type ${typeName(type)}`, where));
  }
  return { violations: found };
}

/** A condition that holds where a value does not fit a type, empty where all fit; undefined where the engine cannot convert it. */
function misfitOf({ sql, type: from }: FoundColumn, to: SqlType): string | undefined {
  if (isTextType(to)) {
    const { length } = to as Extract<SqlType, { length: number | undefined }>;
    return length === undefined ? '' : `CHAR_LENGTH(CAST(${sql} AS STRING)) > ${length}`;
  }
  if (!castable(from, to)) return undefined;
  const cast = `TRY_CAST(${sql} AS ${columnType(to)})`;
  if (isNumeric(from) && isNumeric(to)) {
    if (to.name === 'DOUBLE' || to.name === 'FLOAT') return '';
    // Numbers that are too large become others, so that only the way back shows it
    return `CAST(${cast} AS ${columnType(from)}) IS DISTINCT FROM ${sql}`;
  }
  if (familyOf(from) === familyOf(to)) return '';
  const wide = isTextType(from) ? widerType(to) : undefined;
  if (wide === undefined) return `${cast} IS NULL`;
  const exact = `TRY_CAST(${sql} AS ${columnType(wide)})`;
  return `(${exact} IS NULL OR CAST(${cast} AS ${columnType(wide)}) IS DISTINCT FROM ${exact})`;
}

/** The most digits before the point. */
const WHOLE_DIGITS: Readonly<Partial<Record<SqlType['name'], number>>> = {
  TINYINT: 3,
  SMALLINT: 5,
  INT: 10,
  BIGINT: 19,
};

/**
 * A type that keeps what TRY_CAST of text to this one loses without giving NULL: digits after the point ("2.5" becomes the INT 2), and
 * the time after a date. A DECIMAL of up to 18 digits is even 0 for text that is no number; one of 38 is not.
 */
function widerType(type: SqlType): SqlType | undefined {
  if (type.name === 'DATE') return time('TIMESTAMP', 9);
  const whole = type.name === 'DECIMAL' ? type.precision - type.scale : WHOLE_DIGITS[type.name];
  return whole === undefined ? undefined : decimal(MAX_DIGITS, MAX_DIGITS - whole);
}

/** The most digits of a DECIMAL. */
const MAX_DIGITS = 38;

function range({ node, test }: PlacedAssertion, { target }: CheckContext): Check | Refusal {
  return one(node, target, (column) => {
    const [min, max] = [numberAt(node, 'min'), numberAt(node, 'max')];
    const bounds = [
      { bound: min, operator: '<', word: 'at least' },
      { bound: max, operator: '>', word: 'at most' },
    ].flatMap(({ bound, ...rest }) => {
      if (bound === undefined) return [];
      const digits = writtenNumber(bound, test.definition.file);
      return [{ ...rest, digits, literal: numberLiteral(digits, column.type) }];
    });
    const conditions = bounds.map(({ operator, literal }) => `${column.sql} ${operator} ${literal}`);
    if (bounds.some(({ literal }) => literal === undefined)) return noNumber(column);
    const expected = bounds.map(({ word, digits }) => `${word} ${digits}`).join(' and ');
    return records(target, column, expected, conditions.join(' OR '));
  });
}

function positive({ node }: PlacedAssertion, { target }: CheckContext): Check | Refusal {
  return one(node, target, (column) => {
    if (!isNumeric(column.type)) return noNumber(column);
    const allowsZero = placeOf(node, 'allow_zero').node?.value === true;
    const expected = allowsZero ? 'zero or more' : 'more than zero';
    return records(target, column, expected, `${column.sql} ${allowsZero ? '<' : '<='} 0`);
  });
}

function maxLag({ node }: PlacedAssertion, { target }: CheckContext): Check | Refusal {
  return one(node, target, (column) => {
    const seconds = numberAt(node, 'max_seconds')?.value ?? 0;
    const limit = ago(column.type, seconds * 1000);
    if (isRefusal(limit)) return limit;
    const expected = `at most ${seconds} seconds before now`;
    return records(target, column, expected, `${column.sql} < ${limit.sql}`);
  });
}

/** The check of an assertion about one column. */
function one(
  node: PlacedAssertion['node'],
  target: Target,
  write: (column: FoundColumn) => Violations | Refusal,
): Check | Refusal {
  return each([textAt(node, 'column')?.value ?? ''], target, write);
}

function each(
  names: readonly string[],
  target: Target,
  write: (column: FoundColumn) => Violations | Refusal,
): Check | Refusal {
  const found: Violations[] = [];
  for (const name of names) {
    const column = columnOf(target, name);
    if (isRefusal(column)) return column;
    const made = write(column);
    if (isRefusal(made)) return made;
    found.push(made);
  }
  return { violations: found };
}

function records(target: Target, { name }: FoundColumn, expected: string, where: string): Violations {
  return { column: name, expected, rows: 'records', from: target.from, where };
}

function noNumber({ name, type }: FoundColumn): Refusal {
  return { refused: `column ${quote(name)} is read as ${typeName(type)}, expected a number` };
}
