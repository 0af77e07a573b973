import type { DiagnosticName } from '../src/index.ts';
import type { StructureFixture } from './structure-codes.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

const registry = projectWith('  schema_registry: {url: "http://localhost:8081"}');
const source = lines(
  'sources:',
  '  - {name: payments, topic: payments.v1, columns: [{name: id, type: BIGINT}, {name: who, type: STRING}]}',
);

/** A source, a model on each line, and a sink that reads them. */
function sinkOf(models: readonly string[], from: string, config: string): StructureFixture['files'] {
  return {
    'stream_project.yml': registry,
    'sources/s.yml': source,
    'models/m.yml': lines(
      'models:',
      ...models.map((model) => `  - ${model}`),
      '  - name: out',
      `    from: ${from}`,
      `    sink: {connector: jdbc-sink, config: {${config}}}`,
    ),
  };
}

const select = `sql: 'SELECT id, who FROM {{ source("payments") }}'`;
const count = `sql: 'SELECT who, COUNT(*) AS n FROM {{ source("payments") }} GROUP BY who'`;

/** One for every code of 4185 to 4189. */
export const sinkFixtures: Readonly<Partial<Record<DiagnosticName, StructureFixture>>> = {
  'sink-needs-schema': {
    files: sinkOf([`{name: clean, ${select}}`], '[{ref: clean}]', 'tasks.max: 1'),
    shows: lines(
      'models/m.yml:4:18  error  LV4185  sink "out" reads "clean", whose records are JSON without a schema, and "jdbc-sink" needs one — write "schema: { format: avro }" in model "clean"',
      '  4 |     from: [{ref: clean}]',
      '    |                  ^^^^^',
    ),
  },
  'sink-formats': {
    files: {
      ...sinkOf([], '[]', 'a: b'),
      'models/m.yml': lines(
        'models:',
        `  - {name: one, ${select}, schema: {format: avro}}`,
        `  - {name: two, ${select}}`,
        '  - {name: out, from: [{ref: one}, {ref: two}], sink: {connector: http-sink, config: {a: b}}}',
      ),
    },
    shows:
      'models/m.yml:4:23  error  LV4186  sink "out" reads topics with values in Avro and JSON, and a connector has one converter for all of them — give the models the same "schema", or write a sink for each format',
  },
  'sink-deletions': {
    files: sinkOf([`{name: totals, ${count}, schema: {format: avro}}`], '[{ref: totals}]', 'tasks.max: 1'),
    shows:
      'models/m.yml:4:11  error  LV4187  sink "out" reads model "totals", whose rows are updated and deleted, but keys in text have no schema, so that the connector does not find the row — write "schema: { format: avro, key_format: avro }" in model "totals"',
  },
  'sink-key': {
    files: sinkOf(
      [`{name: clean, ${select}, schema: {format: avro}}`],
      '[{ref: clean}]',
      'insert.mode: upsert',
    ),
    shows:
      'models/m.yml:5:56  error  LV4188  sink "out" replaces rows by a key ("insert.mode: upsert"), and none is known — name a "key" in the model that it reads, or "pk.mode" in "sink.config"',
  },
  'sink-drops-records': {
    files: sinkOf(
      [`{name: clean, ${select}, schema: {format: avro}}`],
      '[{ref: clean}]',
      'errors.tolerance: all',
    ),
    shows:
      'models/m.yml:5:61  warning  LV4189  sink "out" skips records that it cannot read, and nothing keeps them — name a topic in "errors.deadletterqueue.topic.name", or remove "errors.tolerance"',
  },
};
