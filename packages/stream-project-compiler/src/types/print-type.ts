import type { SqlType } from './sql-type.ts';

/** How a type is written. */
export interface PrintTypeOptions {
  /** Whether `NOT NULL` stands behind the type as a whole; inside of other types it always does. Default: true. */
  readonly notNull?: boolean;
}

/**
 * A type in the words of the engine's planner: `STRING`, `DECIMAL(10, 2)`, `TIMESTAMP_LTZ(3) NOT NULL`. An unknown part is written `?`.
 * Names of fields are quoted, so the text can be used in SQL wherever it has no `?`.
 */
export function printType(type: SqlType | undefined, { notNull = true }: PrintTypeOptions = {}): string {
  if (type === undefined) return '?';
  const name = printName(type);
  return notNull && !type.nullable ? `${name} NOT NULL` : name;
}

function printName(type: SqlType): string {
  switch (type.name) {
    case 'CHAR':
    case 'BINARY':
      return `${type.name}(${type.length ?? 1})`;
    case 'VARCHAR':
      return type.length === undefined ? 'STRING' : `VARCHAR(${type.length})`;
    case 'VARBINARY':
      return type.length === undefined ? 'BYTES' : `VARBINARY(${type.length})`;
    case 'TIME':
    case 'TIMESTAMP':
    case 'TIMESTAMP_LTZ':
      return `${type.name}(${type.precision})`;
    case 'DECIMAL':
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case 'ARRAY':
    case 'MULTISET':
      return `${type.name}<${printType(type.element)}>`;
    case 'MAP':
      return `MAP<${printType(type.key)}, ${printType(type.value)}>`;
    case 'ROW':
      return `ROW<${type.fields.map(printField).join(', ')}>`;
    case 'INTERVAL':
      return type.unit === 'year-month' ? 'INTERVAL MONTH' : 'INTERVAL SECOND(3)';
    default:
      return type.name;
  }
}

function printField({ name, type }: { readonly name: string; readonly type: SqlType | undefined }): string {
  return `\`${name.replaceAll('`', '``')}\` ${printType(type)}`;
}
