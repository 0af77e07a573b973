import {
  columnLineageJsonSchema,
  connectorFileJsonSchema,
  diagnosticsJsonSchema,
  jobFileJsonSchema,
  lineageJsonSchema,
  modelExplanationJsonSchema,
  projectManifestJsonSchema,
  testFileJsonSchema,
  topicFileJsonSchema,
  virtualTopicFileJsonSchema,
} from '@levada/stream-project-compiler';

/** What JSON of this package says in `schema`; a number after the "/" that grows when a reader could break. */
export const outputShapes = {
  list: 'levada.project-list/1',
  code: 'levada.project-code/1',
  dev: 'levada.project-dev/1',
  column: 'levada.project-column/1',
  diff: 'levada.project-diff/1',
  errorPlace: 'levada.project-error-place/2',
} as const;

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const severity: Schema = { enum: ['error', 'warning', 'info'] };
const position = object({ line: number, column: number });
const place = { file: text, range: object({ start: position, end: position }) };
const diagnostic = object(
  {
    code: text,
    severity,
    message: text,
    ...place,
    path: text,
    object: text,
    hint: text,
    related: list(object({ message: text, ...place })),
  },
  ['hint', 'related'],
);

/** JSON Schemas 2020-12 of all that commands of projects print as JSON and of the artifacts that they write, by the value of `schema` in the data; connectors have none, since they are bodies of requests. */
export const outputSchemas: Readonly<Record<string, Schema>> = withAddresses({
  [diagnosticsJsonSchema]: shape(diagnosticsJsonSchema, 'Findings of a project', {
    valid: { type: 'boolean' },
    complete: { type: 'boolean' },
    holes: list(object({ object: text, reason: text })),
    diagnostics: list(diagnostic),
  }),
  [outputShapes.list]: shape(outputShapes.list, 'Nodes of a project', {
    nodes: part(lineageJsonSchema, 'nodes'),
  }),
  [outputShapes.code]: shape(outputShapes.code, 'What a code means', {
    code: text,
    name: text,
    title: text,
    severity,
    fixed: { type: 'boolean' },
    doc: text,
  }),
  [outputShapes.dev]: shape(
    outputShapes.dev,
    'One run of levada project dev',
    {
      valid: { type: 'boolean' },
      complete: { type: 'boolean' },
      milliseconds: number,
      errors: number,
      warnings: number,
      added: list(diagnostic),
      removed: list(diagnostic),
      files: object({ written: list(text), removed: list(text) }),
    },
    ['files'],
  ),
  [outputShapes.column]: shape(
    outputShapes.column,
    'Where a column comes from and goes to',
    { upstream: columnLineageJsonSchema, downstream: columnLineageJsonSchema },
    ['upstream', 'downstream'],
  ),
  [outputShapes.diff]: shape(outputShapes.diff, 'What another compilation would change', {
    changes: list(
      object(
        {
          path: text,
          change: { enum: ['added', 'removed', 'changed'] },
          secret: { const: true },
          diff: text,
        },
        ['secret', 'diff'],
      ),
    ),
    moved: list(text),
  }),
  [outputShapes.errorPlace]: shape(outputShapes.errorPlace, 'Where a project says what the engine refuses', {
    job: text,
    message: text,
    place: {
      anyOf: [
        object({ kind: { const: 'query' }, file: text, line: number, column: number, endColumn: number }),
        object({ kind: { const: 'table' }, node: text, topic: text }),
        object({ kind: { enum: ['setting', 'view'] } }),
      ],
    },
  }),
  'levada.connector/1': connectorFileJsonSchema,
  ...Object.fromEntries(
    [
      projectManifestJsonSchema,
      topicFileJsonSchema,
      jobFileJsonSchema,
      virtualTopicFileJsonSchema,
      testFileJsonSchema,
      lineageJsonSchema,
      modelExplanationJsonSchema,
    ].map((schema) => [String(part(schema, 'schema')['const']), schema]),
  ),
});

/** Where each is published, under the name that {@link outputSchemaFileName} gives its file. */
function withAddresses(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const $id = `https://levada.github.io/levada/schemas/${outputSchemaFileName(id)}`;
      return [id, { $id, ...schema }];
    }),
  );
}

/** `levada.project-list.1.schema.json` for `levada.project-list/1`. */
export function outputSchemaFileName(id: string): string {
  return `${id.replace('/', '.')}.schema.json`;
}

function shape(id: string, title: string, properties: Schema, optional: readonly string[] = []): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...object({ schema: { const: id }, ...properties }, optional),
  };
}

function part(schema: Schema, property: string): Schema {
  return (schema['properties'] as Readonly<Record<string, Schema>>)[property] ?? {};
}

function object(properties: Schema, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}
