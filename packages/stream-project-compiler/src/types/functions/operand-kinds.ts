import type { SqlType } from '../sql-type.ts';
import { familyOf, isInteger, type TypeFamily } from '../type-families.ts';

interface OperandKindRow {
  /** Undefined takes every type. */
  readonly families: readonly TypeFamily[] | undefined;
  /** Of numbers only some. */
  readonly only?: (type: SqlType) => boolean;
  /** As messages name it. */
  readonly words: string;
  /** The target of a CAST that converts most other types. */
  readonly cast?: string;
}

/** The kinds of arguments that functions require. */
const OPERAND_KINDS = {
  any: { families: undefined, words: 'any type' },
  text: { families: ['text'], words: 'text', cast: 'STRING' },
  number: { families: ['number'], words: 'a number', cast: 'DOUBLE' },
  integer: { families: ['number'], only: isInteger, words: 'an integer', cast: 'INT' },
  int: {
    families: ['number'],
    only: (type) => isInteger(type) && type.name !== 'BIGINT',
    words: 'INT',
    cast: 'INT',
  },
  exact: {
    families: ['number'],
    only: (type) => isInteger(type) || type.name === 'DECIMAL',
    words: 'an exact number',
    cast: 'INT',
  },
  condition: { families: ['boolean'], words: 'BOOLEAN' },
  binary: { families: ['binary'], words: 'BYTES' },
  'text-or-binary': { families: ['text', 'binary'], words: 'text or BYTES', cast: 'STRING' },
  'text-or-integer': {
    families: ['text', 'number'],
    only: (type) => familyOf(type) === 'text' || isInteger(type),
    words: 'text or an integer',
    cast: 'STRING',
  },
  'text-or-number': { families: ['text', 'number'], words: 'text or a number', cast: 'STRING' },
  day: { families: ['date', 'timestamp'], words: 'a date or timestamp', cast: 'TIMESTAMP(3)' },
  instant: {
    families: ['date', 'time', 'timestamp'],
    words: 'a date, time or timestamp',
    cast: 'TIMESTAMP(3)',
  },
  timestamp: { families: ['timestamp'], words: 'a timestamp', cast: 'TIMESTAMP(3)' },
  'text-or-timestamp': {
    families: ['text', 'timestamp'],
    words: 'text or a timestamp',
    cast: 'TIMESTAMP(3)',
  },
  ordered: {
    families: ['text', 'number', 'boolean', 'date', 'time', 'timestamp', 'interval'],
    words: 'a type with an order',
  },
  array: { families: ['array'], words: 'an array' },
  'text-array': {
    families: ['array'],
    only: (type) =>
      type.name === 'ARRAY' && (type.element === undefined || familyOf(type.element) === 'text'),
    words: 'an array of STRING',
  },
  map: { families: ['map'], words: 'a map' },
  json: {
    families: [
      'array',
      'binary',
      'boolean',
      'interval',
      'map',
      'multiset',
      'number',
      'row',
      'text',
      'timestamp',
      'variant',
    ],
    words: 'a type that JSON has a form for',
    cast: 'STRING',
  },
  hashable: {
    families: ['boolean', 'date', 'number', 'text', 'time', 'timestamp'],
    only: ({ name }) => name !== 'TIMESTAMP_LTZ',
    words: 'text, a number or a time',
    cast: 'STRING',
  },
  dated: {
    families: ['date', 'interval', 'time', 'timestamp'],
    words: 'a date, time or timestamp',
    cast: 'TIMESTAMP(3)',
  },
  collection: { families: ['array', 'map', 'multiset'], words: 'an array or a map' },
  sequence: { families: ['array', 'multiset'], words: 'an array' },
} as const satisfies Readonly<Record<string, OperandKindRow>>;

/** The kind of one argument that a function requires: `integer`. */
export type OperandKind = keyof typeof OPERAND_KINDS;

/** Whether the engine takes this type there. It takes `NULL` everywhere, or refuses it for other reasons. */
export function takesType(kind: OperandKind, type: SqlType): boolean {
  const { families, only }: OperandKindRow = OPERAND_KINDS[kind];
  const family = familyOf(type);
  if (families === undefined || family === 'null') return true;
  return families.includes(family) && (only?.(type) ?? true);
}

/** The kind in words: `a number`. */
export function operandWords(kind: OperandKind): string {
  return OPERAND_KINDS[kind].words;
}

/** A conversion to suggest for another type; undefined where none is likely to work. */
export function operandHint(kind: OperandKind): string | undefined {
  const { cast }: OperandKindRow = OPERAND_KINDS[kind];
  return cast === undefined ? undefined : `write CAST(... AS ${cast})`;
}
