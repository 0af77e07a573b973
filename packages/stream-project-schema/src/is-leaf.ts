import type { Field, LeafField } from './field.ts';

const leafTypes: ReadonlySet<string> = new Set<LeafField['type']>([
  'text',
  'integer',
  'number',
  'boolean',
  'enum',
  'scalar',
]);

/** Whether values of a row hold no others. */
export function isLeaf(field: Field): field is LeafField {
  return leafTypes.has(field.type);
}
