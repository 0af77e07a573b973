import type { Schema, SchemaType } from '../contract/schema.ts';
import { conversionFailed } from './conversion-failed.ts';
import { jsonText } from './json-text.ts';

/** Type names in the envelope's schema where they differ from Connect's own. */
const jsonTypes: Partial<Readonly<Record<SchemaType, string>>> = { float32: 'float', float64: 'double' };

/** Nesting that a schema or a value may have. */
export const MAX_DEPTH = 200;

/** Writes a default, which is a value. */
type WriteDefault = (schema: Schema, value: unknown) => string;

/** The schema as `JsonConverter` writes it into the envelope, members in Connect's order. */
export function schemaJson(schema: Schema, write: WriteDefault): string {
  return `{${members(schema, 0, write).join(',')}}`;
}

function members(schema: Schema, depth: number, write: WriteDefault): readonly string[] {
  if (depth > MAX_DEPTH) throw conversionFailed(`schema is nested deeper than ${MAX_DEPTH}`);
  const { parameters, default: value } = schema;
  return [
    `"type":"${jsonTypes[schema.type] ?? schema.type}"`,
    ...content(schema, depth, write),
    `"optional":${schema.optional}`,
    ...(schema.name === undefined ? [] : [`"name":${jsonText(schema.name)}`]),
    ...(schema.version === undefined ? [] : [`"version":${schema.version}`]),
    ...(schema.doc === undefined ? [] : [`"doc":${jsonText(schema.doc)}`]),
    ...(parameters === undefined ? [] : [`"parameters":${parametersJson(parameters)}`]),
    ...(value === undefined || value === null ? [] : [`"default":${write(schema, value)}`]),
  ];
}

function parametersJson(parameters: Readonly<Record<string, string>>): string {
  const entries = Object.entries(parameters).map(([name, text]) => `${jsonText(name)}:${jsonText(text)}`);
  return `{${entries.join(',')}}`;
}

function content(schema: Schema, depth: number, write: WriteDefault): readonly string[] {
  const nested = (part: Schema | undefined, what: string): string => {
    if (part === undefined) throw conversionFailed(`schema of type ${schema.type} has no ${what}`);
    return `{${members(part, depth + 1, write).join(',')}}`;
  };
  if (schema.type === 'array') return [`"items":${nested(schema.items, 'items')}`];
  if (schema.type === 'map') {
    return [`"keys":${nested(schema.keys, 'keys')}`, `"values":${nested(schema.items, 'items')}`];
  }
  if (schema.type !== 'struct') return [];
  const fields = (schema.fields ?? []).map(
    (field) =>
      `{${[...members(field.schema, depth + 1, write), `"field":${jsonText(field.field)}`].join(',')}}`,
  );
  return [`"fields":[${fields.join(',')}]`];
}
