import { type DataType, parseSqlType, type ScalarType, type ScalarTypeName } from '@levada/stream-sql';
import { decimal, plain, type SqlType, text, time } from './sql-type.ts';

/** Makes the type of a name and the numbers after it. */
type MakeScalar = (first: number | undefined, second: number | undefined, nullable: boolean) => SqlType;

const MAX_PRECISION = 38;
const MAX_FRACTION = 9;

const SCALARS: Readonly<Record<ScalarTypeName, MakeScalar>> = {
  BIGINT: (_first, _second, nullable) => plain('BIGINT', nullable),
  BINARY: (length, _, nullable) => text('BINARY', length ?? 1, nullable),
  BOOLEAN: (_first, _second, nullable) => plain('BOOLEAN', nullable),
  BYTES: (_first, _second, nullable) => text('VARBINARY', undefined, nullable),
  CHAR: (length, _, nullable) => text('CHAR', length ?? 1, nullable),
  DATE: (_first, _second, nullable) => plain('DATE', nullable),
  DECIMAL: (precision = 10, scale = 0, nullable) =>
    decimal(Math.min(precision, MAX_PRECISION), scale, nullable),
  DOUBLE: (_first, _second, nullable) => plain('DOUBLE', nullable),
  FLOAT: (_first, _second, nullable) => plain('FLOAT', nullable),
  INT: (_first, _second, nullable) => plain('INT', nullable),
  SMALLINT: (_first, _second, nullable) => plain('SMALLINT', nullable),
  STRING: (_first, _second, nullable) => text('VARCHAR', undefined, nullable),
  // The engine keeps whole seconds, whatever is written
  TIME: (_first, _second, nullable) => time('TIME', 0, nullable),
  TIMESTAMP: (digits = 6, _, nullable) => time('TIMESTAMP', Math.min(digits, MAX_FRACTION), nullable),
  TIMESTAMP_LTZ: (digits = 6, _, nullable) => time('TIMESTAMP_LTZ', Math.min(digits, MAX_FRACTION), nullable),
  TINYINT: (_first, _second, nullable) => plain('TINYINT', nullable),
  VARBINARY: (length, _, nullable) => text('VARBINARY', length, nullable),
  VARCHAR: (length, _, nullable) => text('VARCHAR', length, nullable),
  VARIANT: (_first, _second, nullable) => plain('VARIANT', nullable),
};

/**
 * The type that a written type means to the engine, with its defaults: `CHAR` is `CHAR(1)`, `DECIMAL` is `DECIMAL(10, 0)`, too many
 * digits are cut. Undefined for types that only a catalog or a class can tell.
 */
export function typeOfDataType(type: DataType): SqlType | undefined {
  const nullable = type.nullable !== false;
  if ('parameters' in type) return scalarType(type, nullable);
  switch (type.type) {
    case 'RAW':
    case 'NAMED':
    case 'STRUCTURED':
      return undefined;
    case 'ARRAY':
    case 'MULTISET':
      return { name: type.type, element: typeOfDataType(type.element), nullable };
    case 'MAP':
      return { name: 'MAP', key: typeOfDataType(type.key), value: typeOfDataType(type.value), nullable };
    case 'ROW': {
      const fields = type.fields.map((field) => ({
        name: field.name.name,
        type: typeOfDataType(field.type),
      }));
      return { name: 'ROW', fields, nullable };
    }
    case 'INTERVAL':
      return { name: 'INTERVAL', unit: intervalUnit(type.qualifier.from), nullable };
  }
}

function scalarType({ type, parameters: [first, second] }: ScalarType, nullable: boolean): SqlType {
  return SCALARS[type](first, second, nullable);
}

const MONTHS: ReadonlySet<string> = new Set(['YEAR', 'QUARTER', 'MONTH']);

/** Whether an interval of this unit counts months or time. */
export function intervalUnit(unit: string): 'year-month' | 'day-time' {
  return MONTHS.has(unit) ? 'year-month' : 'day-time';
}

/** The type of most columns; parsed once, since projects have thousands of them. */
const FREQUENT: ReadonlyMap<string, SqlType | undefined> = new Map(
  ['BIGINT', 'BOOLEAN', 'DATE', 'DOUBLE', 'FLOAT', 'INT', 'STRING', 'TIMESTAMP(3)', 'TIMESTAMP_LTZ(3)'].map(
    (text) => [text, readType(text)],
  ),
);

/** The type that a column declares: of `DECIMAL(10,2)`, of `STRING NOT NULL`. Undefined for a text that is not a type of the engine. */
export function declaredType(text: string): SqlType | undefined {
  return FREQUENT.get(text) ?? readType(text);
}

function readType(text: string): SqlType | undefined {
  const { type, diagnostics } = parseSqlType(text);
  return diagnostics.length > 0 ? undefined : typeOfDataType(type);
}
