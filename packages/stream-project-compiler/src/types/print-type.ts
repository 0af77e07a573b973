import type { SqlType, TextTypeName } from './sql-type.ts';

/**
 * A type in the words of the engine's planner: `STRING`, `DECIMAL(10, 2)`, `TIMESTAMP_LTZ(3) NOT NULL`. An unknown part is written `?`.
 * Names of fields are quoted, so the text can be used in SQL wherever it has no `?`.
 */
export function printType(type: SqlType | undefined): string {
  return type?.nullable === false ? `${typeName(type)} NOT NULL` : typeName(type);
}

/** A type as {@link printType} writes it, without the `NOT NULL` of the type as a whole. */
export function typeName(type: SqlType | undefined): string {
  if (type === undefined) return '?';
  if ('length' in type) return printLength(type.name, type.length);
  if ('scale' in type) return `DECIMAL(${type.precision}, ${type.scale})`;
  if ('precision' in type) return `${type.name}(${type.precision})`;
  if ('element' in type) return `${type.name}<${printType(type.element)}>`;
  if ('key' in type) return `MAP<${printType(type.key)}, ${printType(type.value)}>`;
  if ('fields' in type) return `ROW<${type.fields.map(printField).join(', ')}>`;
  if ('unit' in type) return type.unit === 'year-month' ? 'INTERVAL MONTH' : 'INTERVAL SECOND(3)';
  return type.name;
}

function printLength(name: TextTypeName, length: number | undefined): string {
  if (length !== undefined) return `${name}(${length})`;
  return name.endsWith('BINARY') ? 'BYTES' : 'STRING';
}

function printField({ name, type }: { readonly name: string; readonly type: SqlType | undefined }): string {
  return `\`${name.replaceAll('`', '``')}\` ${printType(type)}`;
}
