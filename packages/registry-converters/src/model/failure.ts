import type { Schema } from '@levada/connect-runtime-core';
import { conversionFailed, kindOf } from '@levada/connect-runtime-core/converter';

/** Maximum nesting of a schema or a value. */
export const MAX_DEPTH = 200;

/** Field names, keys and indexes from the root to the current value, for error messages. */
export type Path = readonly (string | number)[];

/** A conversion failure at a place. The message has types and places, never data. */
export function failedAt(path: Path, message: string): Error {
  return conversionFailed(path.length === 0 ? message : `${path.join('.')}: ${message}`);
}

/** A value that does not match the type of its schema. */
export function mismatch(type: string, value: unknown, path: Path): Error {
  const number = typeof value === 'number' || typeof value === 'bigint';
  return failedAt(path, `expected ${type}, got ${number ? 'a number outside of it' : kindOf(value)}`);
}

/** The schema of the elements of an array or the values of a map. Throws if it is missing. */
export function itemsOf(schema: Schema, path: Path): Schema {
  if (schema.items === undefined) throw failedAt(path, `schema of type ${schema.type} has no items`);
  return schema.items;
}

/** The key schema of a map. Default: text. */
export function keysOf(schema: Schema): Schema {
  return schema.keys ?? { type: 'string', optional: false };
}

/** A schema parameter that is an integer of at least `least`. Default: `otherwise`. */
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

/** Refuses fields whose names are equal after scrubbing: one value would stand for both. */
export function checkDistinct(fields: readonly { readonly name: string }[], path: Path): void {
  const names = new Set<string>();
  for (const { name } of fields) {
    if (names.has(name))
      throw failedAt(path, `two fields of the struct have the name "${name}" after scrub.invalid.names`);
    names.add(name);
  }
}

/** Stops the recursion into a recursive schema. */
export function checkDepth(path: Path): void {
  if (path.length > MAX_DEPTH) throw conversionFailed(`schema is nested deeper than ${MAX_DEPTH}`);
}

export function requireSchema(schema: Schema): Schema {
  return schema.optional ? { ...schema, optional: false } : schema;
}
