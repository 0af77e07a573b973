import { materializations } from '@levada/stream-project-schema';
import { projectManifestSchema } from './manifest.ts';

/** A part of a JSON Schema. */
type SchemaPart = Readonly<Record<string, unknown>>;

const text: SchemaPart = { type: 'string' };
const texts = listOf(text);

/** All keys that do not end in "?" are required, and there are no others. */
function object(keys: Readonly<Record<string, SchemaPart>>): SchemaPart {
  const entries = Object.entries(keys);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, part]) => [key.replace('?', ''), part])),
    required: entries.map(([key]) => key).filter((key) => !key.endsWith('?')),
    additionalProperties: false,
  };
}

function listOf(items: SchemaPart): SchemaPart {
  return { type: 'array', items };
}

const config: SchemaPart = { type: 'object', additionalProperties: text };
const facts = { name: text, file: text, 'description?': text, 'owner?': text, 'tags?': texts };
const column = object({ name: text, type: { type: ['string', 'null'] } });
const columns = { columns: listOf(column), 'columns_incomplete?': text };

const model = object({
  ...facts,
  materialized: { type: 'string', enum: Object.keys(materializations) },
  reason: text,
  dependencies: texts,
  'cluster?': text,
  'access?': text,
  'group?': text,
  'version?': { type: 'integer' },
  ...columns,
});

const topic = object({
  name: text,
  'partitions?': { type: 'integer' },
  'replication_factor?': { type: 'integer' },
  config,
});

const artifacts = object({
  topics: listOf(topic),
  connectors: listOf(object({ name: text, connector: text, topics: texts, config })),
  virtual_topics: listOf(object({ name: text, physical_topic: text, 'compression?': text })),
});

/** The JSON Schema (draft 2020-12) of `manifest.json`. */
export const projectManifestJsonSchema: SchemaPart = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Manifest of a compiled stream project',
  ...object({
    schema: { const: projectManifestSchema },
    project: object({ name: text, 'version?': text, 'description?': text }),
    sources: listOf(object({ ...facts, topic: text, ...columns })),
    models: listOf(model),
    tests: listOf(object({ ...facts, type: text, target: text })),
    exposures: listOf(object({ ...facts, type: text, 'role?': text })),
    edges: listOf({ ...listOf(text), minItems: 2, maxItems: 2 }),
    order: texts,
    artifacts,
  }),
};
