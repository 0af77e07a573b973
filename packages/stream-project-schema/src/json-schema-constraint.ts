import type { Constraint } from './field.ts';
import type { JsonSchema } from './json-schema.ts';

/** A condition between keys as a schema for their object. */
export function constraintSchema(constraint: Constraint): JsonSchema {
  if (constraint.kind === 'excludes') return { not: { allOf: constraint.keys.map(present) } };
  const { has = [], lacks = [], needs } = constraint;
  const needed = any(needs.map(present));
  const excused = [...has.map((path) => ({ not: present(path) })), ...lacks.map(present)];
  return excused.length === 0 ? needed : { if: any(excused), else: needed };
}

/** Holds when the key at a dotted path is there. Strict validators want each required key among the properties. */
function present(path: string): JsonSchema {
  const [key = '', ...rest] = path.split('.');
  const value = rest.length === 0 ? true : present(rest.join('.'));
  return { type: 'object', required: [key], properties: { [key]: value } };
}

function any(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.length === 1 && schemas[0] !== undefined ? schemas[0] : { anyOf: schemas };
}
