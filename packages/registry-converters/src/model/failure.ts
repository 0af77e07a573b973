import type { Schema } from '@levada/connect-runtime-core';
import { conversionFailed, kindOf } from '@levada/connect-runtime-core/converter';

/** Nesting that a schema or a value may have. */
export const MAX_DEPTH = 200;

/** Names of fields, keys and indexes from the top down to the value at hand, for error messages. */
export type Path = readonly (string | number)[];

/** The failure of a conversion at a place. Names types and places, never data. */
export function failedAt(path: Path, message: string): Error {
  return conversionFailed(path.length === 0 ? message : `${path.join('.')}: ${message}`);
}

/** A value that is not of its schema's type. */
export function mismatch(type: string, value: unknown, path: Path): Error {
  const number = typeof value === 'number' || typeof value === 'bigint';
  return failedAt(path, `expected ${type}, got ${number ? 'a number outside of it' : kindOf(value)}`);
}

/** Schema of the elements of an array or the values of a map. Throws when there is none. */
export function itemsOf(schema: Schema, path: Path): Schema {
  if (schema.items === undefined) throw failedAt(path, `schema of type ${schema.type} has no items`);
  return schema.items;
}

/** Schema of the keys of a map: text when it is left out. */
export function keysOf(schema: Schema): Schema {
  return schema.keys ?? { type: 'string', optional: false };
}

/** A parameter of a schema as a whole number that is not below `least`; `otherwise` when it is left out. */
export function wholeParameter(
  { parameters }: Schema,
  name: string,
  { least, otherwise, path }: { readonly least: number; readonly otherwise: number; readonly path: Path },
): number {
  const given = parameters?.[name];
  if (given === undefined) return otherwise;
  const number = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= 2_147_483_647) return number;
  throw failedAt(path, `the parameter "${name}" is "${given}", expected a whole number from ${least}`);
}

/** Refuses fields that have become one by scrubbing their names: the value of one would be that of both. */
export function checkDistinct(fields: readonly { readonly name: string }[], path: Path): void {
  const names = new Set<string>();
  for (const { name } of fields) {
    if (names.has(name))
      throw failedAt(path, `two fields of the struct have the name "${name}" after scrub.invalid.names`);
    names.add(name);
  }
}

/** Ends a recursion into a schema that holds itself. */
export function checkDepth(path: Path): void {
  if (path.length > MAX_DEPTH) throw conversionFailed(`schema is nested deeper than ${MAX_DEPTH}`);
}

/** The same schema, required. */
export function required(schema: Schema): Schema {
  return schema.optional ? { ...schema, optional: false } : schema;
}
