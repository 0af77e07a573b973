import { quote } from '../diagnostics/quote.ts';
import { avroName } from '../schemas/avro-schema.ts';
import { typeName } from '../types/print-type.ts';
import type { SqlType } from '../types/sql-type.ts';
import type { JobTable } from './create-table.ts';
import type { Refusal } from './refusal.ts';

/** Why the format of a table cannot have all of its columns; undefined where it can. */
export function columnRefusal({ columns, format, name: table }: JobTable): Refusal | undefined {
  if (format === 'raw') return undefined;
  const isAvro = format === 'avro';
  for (const { name, type, computed, metadata } of columns) {
    const isMade = computed !== undefined || metadata !== undefined;
    if (isAvro && !isMade && !avroName.test(name)) return oddName;
    const part = !isMade ? unwritable(type, isAvro) : undefined;
    if (part === 'name') return oddName;
    if (part === undefined) continue;
    const whose = table === '' ? `its column ${quote(name)}` : `column ${quote(name)} of ${quote(table)}`;
    const isVariant = part === 'VARIANT';
    return {
      refused: `the engine has no ${isAvro ? 'Avro' : 'JSON'} for values of type ${part}, and ${whose} has some`,
      hint: isVariant
        ? 'write JSON_STRING around it, which takes such values since version 2.3, or leave the column out'
        : isAvro
          ? 'declare it as the schema has it, times as TIMESTAMP(3)'
          : 'convert it with CAST',
    };
  }
  return undefined;
}

const oddName: Refusal = {
  refused: 'records of Avro cannot have all columns that it reads: their names are letters, digits and "_"',
  hint: 'declare the columns as they are in the schema',
};

/** The first part of a type that the format does not have, as it is written; `name` for a field with a name that it does not take. */
function unwritable(type: SqlType | undefined, isAvro: boolean): string | undefined {
  if (type === undefined) return undefined;
  const written = typeName(type);
  if (type.name === 'VARIANT') return written;
  if (isAvro && type.name === 'TIMESTAMP_LTZ') return written;
  if (isAvro && type.name === 'TIMESTAMP' && type.precision > 3) return written;
  // Counts of a multiset are written as a map
  if (type.name === 'MULTISET') return isText(type.element) ? undefined : written;
  if (type.name === 'MAP') return isText(type.key) ? unwritable(type.value, isAvro) : written;
  if ('element' in type) return unwritable(type.element, isAvro);
  if (!('fields' in type)) return undefined;
  if (isAvro && type.fields.some(({ name }) => !avroName.test(name))) return 'name';
  for (const field of type.fields) {
    const found = unwritable(field.type, isAvro);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isText(type: SqlType | undefined): boolean {
  return type?.name === 'VARCHAR' || type?.name === 'CHAR';
}
