import { accessLevels, materializations } from '@levada/stream-project-schema';
import { columnLineageSchema, lineageSchema } from './lineage-json.ts';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const position = object({ line: { type: 'number' }, column: { type: 'number' } });
const columnRef = object({ node: text, column: text });
const range = object({ file: text, start: position, end: position });
const gap = { reason: text, range };

const columnEdges = list(
  object({
    from: columnRef,
    to: columnRef,
    through: { enum: ['identity', 'transformation', 'aggregation'] },
  }),
);

const influences = list(
  object({ from: columnRef, to: text, by: { enum: ['filter', 'join', 'group', 'order', 'window'] } }),
);

const node = object(
  {
    id: text,
    kind: { enum: ['source', 'model', 'exposure'] },
    name: text,
    materialized: { enum: Object.keys(materializations) },
    description: text,
    owner: text,
    tags: list(text),
    group: text,
    access: { enum: Object.keys(accessLevels) },
    file: text,
    range: object({ start: position, end: position }),
  },
  ['materialized', 'description', 'owner', 'group', 'access'],
);

/** The shape of a graph as JSON Schema 2020-12, for readers of `levada project lineage --format json`. */
export const lineageJsonSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Lineage of a stream project',
  ...object(
    {
      schema: { const: lineageSchema },
      nodes: list(node),
      edges: list(object({ from: text, to: text, how: { enum: ['sql', 'from', 'consumes', 'produces'] } })),
      columns: object({
        nodes: list(
          object(
            {
              node: text,
              columns: list(object({ name: text, type: text }, ['type'])),
              incomplete: object(gap),
            },
            ['incomplete'],
          ),
        ),
        edges: columnEdges,
        influences,
      }),
    },
    ['columns'],
  ),
};

/** The shape of one column's lineage as JSON Schema 2020-12. */
export const columnLineageJsonSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Lineage of one column of a stream project',
  ...object({
    schema: { const: columnLineageSchema },
    node: text,
    column: text,
    direction: { enum: ['upstream', 'downstream'] },
    steps: columnEdges,
    influences,
    gaps: list(object({ node: text, ...gap })),
    exposures: list(text),
  }),
};

function object(properties: Schema, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}
