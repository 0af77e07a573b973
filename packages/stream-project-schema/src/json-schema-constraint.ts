import type { Constraint } from './field.ts';
import type { JsonSchema, JsonSchemaDraft } from './json-schema.ts';

/**
 * A condition between keys as a schema for their object. What holds stands under `if`, what is asked under `else`: then
 * validators report the key that is missing or too many instead of "no alternative matches".
 */
export function constraintSchema(constraint: Constraint, draft: JsonSchemaDraft): JsonSchema {
  if (constraint.kind === 'excludes') {
    const [first, second] = constraint.keys;
    return { if: { not: present(first) }, else: absent(second, notes(constraint.message, draft)) };
  }
  const { has = [], lacks = [], needs } = constraint;
  const [reported, ...others] = needs;
  const excused = [...has.map((path) => ({ not: present(path) })), ...[...lacks, ...others].map(present)];
  const [only] = excused;
  if (only === undefined) return present(reported);
  return { if: excused.length === 1 ? only : { anyOf: excused }, else: present(reported) };
}

/** Holds when the key at a dotted path is there. Strict validators want each required key among the properties. */
function present(path: string): JsonSchema {
  const [key, rest] = split(path);
  const value = rest === undefined ? true : present(rest);
  return { type: 'object', required: [key], properties: { [key]: value } };
}

/** Holds when the key at a dotted path is not there. */
function absent(path: string, about: JsonSchema): JsonSchema {
  const [key, rest] = split(path);
  const value = rest === undefined ? false : absent(rest, about);
  return { type: 'object', properties: { [key]: value }, ...(rest === undefined ? about : {}) };
}

function split(path: string): readonly [string, string?] {
  const dot = path.indexOf('.');
  return dot === -1 ? [path] : [path.slice(0, dot), path.slice(dot + 1)];
}

function notes(message: string, draft: JsonSchemaDraft): JsonSchema {
  return draft === 'draft-07' ? { errorMessage: message } : {};
}
