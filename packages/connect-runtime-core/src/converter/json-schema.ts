import type { Schema, SchemaType } from '../contract/schema.ts';
import { conversionFailed } from './conversion-failed.ts';
import { jsonText } from './json-text.ts';

/** Type names in the envelope's schema where they differ from Connect's own. */
const jsonTypes: Partial<Readonly<Record<SchemaType, string>>> = { float32: 'float', float64: 'double' };

/** Nesting that a schema or a value may have. */
export const MAX_DEPTH = 200;

/** The schema as `JsonConverter` writes it into the envelope, members in Connect's order. */
export function schemaJson(schema: Schema): string {
  return `{${members(schema, 0).join(',')}}`;
}

function members(schema: Schema, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) throw conversionFailed(`schema is nested deeper than ${MAX_DEPTH}`);
  return [
    `"type":"${jsonTypes[schema.type] ?? schema.type}"`,
    ...content(schema, depth),
    `"optional":${schema.optional}`,
    ...(schema.name === undefined ? [] : [`"name":${jsonText(schema.name)}`]),
    ...(schema.version === undefined ? [] : [`"version":${schema.version}`]),
    ...(schema.doc === undefined ? [] : [`"doc":${jsonText(schema.doc)}`]),
  ];
}

function content(schema: Schema, depth: number): readonly string[] {
  const nested = (part: Schema | undefined, what: string): string => {
    if (part === undefined) throw conversionFailed(`schema of type ${schema.type} has no ${what}`);
    return `{${members(part, depth + 1).join(',')}}`;
  };
  if (schema.type === 'array') return [`"items":${nested(schema.items, 'items')}`];
  if (schema.type === 'map') {
    return [`"keys":${nested(schema.keys, 'keys')}`, `"values":${nested(schema.items, 'items')}`];
  }
  if (schema.type !== 'struct') return [];
  const fields = (schema.fields ?? []).map(
    (field) => `{${[...members(field.schema, depth + 1), `"field":${jsonText(field.field)}`].join(',')}}`,
  );
  return [`"fields":[${fields.join(',')}]`];
}
