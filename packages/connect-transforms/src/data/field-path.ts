import type { Schema } from '@levada/connect-runtime-core';
import type { SchemaField } from '@levada/connect-runtime-core/contract';
import { configFailure, dataFailure } from './failures.ts';
import { fieldOf } from './schemas.ts';
import { fieldValue, requireMap, requireStruct, type Struct } from './structs.ts';

const PURPOSE = 'nested field access';

/** The names on the path to a field, at least one. */
export type FieldPath = readonly string[];

/**
 * Parses a path in the syntax of KIP-821. In V1 the whole text is one name. In V2 dots separate names, and backticks enclose a
 * name with dots.
 */
export function fieldPath(key: string, text: string, version: string): FieldPath {
  return version.toUpperCase() === 'V1' ? [text] : parsePath(key, text);
}

function parsePath(key: string, path: string): FieldPath {
  const steps: string[] = [];
  let at = 0;
  while (at < path.length) {
    if (path[at] === '`') {
      const { step, next } = quotedStep(key, path, at);
      steps.push(step);
      at = next;
    } else {
      const point = path.indexOf('.', at);
      steps.push(path.slice(at, point < 0 ? path.length : point));
      at = point < 0 ? path.length : point + 1;
    }
  }
  if (path.endsWith('.')) steps.push('');
  return steps.length === 0 ? [''] : steps;
}

/** A backtick ends the name if it precedes a dot or the end, and has no backslash before it. */
function quotedStep(
  key: string,
  path: string,
  begin: number,
): { readonly step: string; readonly next: number } {
  let step = '';
  let from = begin + 1;
  for (let at = path.indexOf('`', from); at >= 0; at = path.indexOf('`', at + 1)) {
    const escaped = path[at - 1] === '\\';
    const last = at === path.length - 1;
    if (last && escaped) break;
    if (last) return { step: step + path.slice(from, at), next: at + 1 };
    if (path[at + 1] !== '.') continue;
    if (!escaped) return { step: step + path.slice(from, at), next: at + 2 };
    step += `${path.slice(from, at - 1)}\``;
    from = at + 1;
  }
  throw configFailure(
    key,
    `Incomplete backtick pair in path: [${path}], consider adding a backslash before backtick at position ${begin} to escape it`,
  );
}

/** The field at a path; undefined if absent. */
export function fieldAt(schema: Schema, path: FieldPath): SchemaField | undefined {
  let present: Schema = schema;
  for (const step of path.slice(0, -1)) {
    const field = fieldOf(present, step);
    if (field === undefined) return undefined;
    present = field.schema;
  }
  return fieldOf(present, path.at(-1) ?? '');
}

/** The value at a path of a struct; null if absent. */
export function valueAt(struct: Struct, path: FieldPath, withDefault: boolean): unknown {
  let present = struct;
  for (const [index, step] of path.entries()) {
    const field = fieldOf(present.schema, step);
    if (field === undefined) return null;
    if (index === path.length - 1) return fieldValue(present, field, withDefault);
    const value = fieldValue(present, field);
    if (value === null) return null;
    present = requireStruct(field.schema, value, PURPOSE);
  }
  throw dataFailure('a path of a field has no names');
}

/** The value at a path of maps without a schema; null if absent. */
export function mapValueAt(map: ReadonlyMap<unknown, unknown>, path: FieldPath): unknown {
  let present = map;
  for (const step of path.slice(0, -1)) {
    const value = present.get(step) ?? null;
    if (value === null) return null;
    present = requireMap(value, PURPOSE);
  }
  return present.get(path.at(-1)) ?? null;
}
