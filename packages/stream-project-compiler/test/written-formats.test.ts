import { describePlanner } from '@levada/test-peers/engine';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { type Compilation, compile, loadProject } from '../src/index.ts';
import { avroJobs, models, runtime, sources } from './jobs/avro-models.ts';
import { refusedJobs } from './jobs/planned-jobs.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

async function compiled(
  files: Readonly<Record<string, string>> = { 'models/m.yml': models },
): Promise<Compilation> {
  const all = {
    'stream_project.yml': runtime.replace('VERSION', '2.2'),
    'sources/s.yml': sources,
    ...files,
  };
  return compile(await loadProject({ fileSystem: memoryFileSystem(all) }), { today: '2025-01-01' });
}

function modelWith(schema: string, sql: string) {
  return compiled({ 'models/m.yml': `models:\n  - name: m\n    schema: ${schema}\n    sql: ${sql}\n` });
}

function saidOf({ diagnostics }: Compilation): readonly string[] {
  return diagnostics.map(({ code, severity, message }) => `${severity} ${code} ${message}`);
}

describePlanner('jobs that write Avro', '2.2.0', (planner) => {
  it('are planned, and so are those that read it, with the schema of the project', async () => {
    expect((await compiled()).diagnostics).toEqual([]);
    const { jobs, refused } = await avroJobs('2.2');
    expect([...refused]).toEqual([]);
    expect(await refusedJobs(planner(), [...jobs])).toEqual([]);
  }, 180_000);
});

describe('the schemas of a project', () => {
  test('are listed in the manifest, with subjects, and those of keys where the model asks for a format', async () => {
    const { manifest } = await compiled();
    const { schemas } = manifest?.artifacts ?? { schemas: [] };
    expect(schemas.map(({ path, subject }) => [path, subject])).toEqual([
      ['schemas/again-value.avsc', 'again-value'],
      ['schemas/all.columns-key.avsc', 'all.columns-key'],
      ['schemas/all.columns-value.avsc', 'orders-of-the-shop'],
      ['schemas/masked-value.avsc', 'masked-value'],
      ['schemas/totals-key.avsc', 'totals-key'],
      ['schemas/totals-value.avsc', 'totals-value'],
      ['schemas/totals_again-key.json', 'totals_again-key'],
      ['schemas/totals_again-value.json', 'totals_again-value'],
      ['schemas/windows-value.avsc', 'windows-value'],
    ]);
  });

  test('describe what is written: masked columns, keys that are never null, and counts', async () => {
    const { files } = await compiled();
    const fieldsOf = (name: string) =>
      Object.fromEntries(
        (JSON.parse(files.get(`schemas/${name}.avsc`) ?? '').fields as { name: string; type: unknown }[]).map(
          (field) => [field.name, field.type],
        ),
      );
    expect(fieldsOf('masked-value')['customer']).toEqual(['null', 'string']);
    expect(fieldsOf('totals-value')).toEqual({
      customer: 'string',
      flag: 'boolean',
      n: 'long',
      total: ['null', { type: 'bytes', logicalType: 'decimal', precision: 38, scale: 2 }],
    });
    expect(fieldsOf('totals-key')).toEqual({ customer: 'string', flag: 'boolean' });
    expect(files.get('schemas/all.columns-value.avsc')).toContain(
      String.raw`{"name":"id","type":"long","doc":"Number of the \"order\""}`,
    );
  });

  test('are in JSON where the model says nothing', async () => {
    const { files } = await compiled({
      'models/m.yml': 'models:\n  - name: m\n    sql: SELECT id, amount FROM {{ source("orders") }}\n',
    });
    const isRow = new Ajv2020({ allowUnionTypes: true }).compile(
      JSON.parse(files.get('schemas/m-value.json') ?? ''),
    );
    expect([isRow({ id: 1, amount: 1.5 }), isRow({ id: 1 }), isRow({ amount: 1 })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('know how they may change from the contracts of exposures', async () => {
    const { manifest } = await compiled({
      'models/m.yml': models,
      'exposures/e.yml':
        'exposures:\n  - { name: e, type: api, consumes: [{ref: again}], contracts: { schema: again-value, compatibility: FULL } }\n',
    });
    expect(manifest?.artifacts.schemas[0]).toMatchObject({ name: 'again-value', compatibility: ['FULL'] });
  });

  test('exist of records that only the engine does not write, and it is said', async () => {
    const result = await modelWith('{ format: protobuf }', 'SELECT id, ts FROM {{ source("orders") }}');
    expect(result.files.get('schemas/m-value.proto')).toContain('optional google.protobuf.Timestamp ts = ');
    expect(saidOf(result)).toEqual([
      'warning LV5001 model "m" has no job: the engine does not write TIMESTAMP(3) in Protobuf, which is the type of its column "ts"',
    ]);
  });

  test.each([
    [
      '{ format: avro }',
      'SELECT COLLECT(customer) AS c FROM {{ source("orders") }}',
      'error LV5004 model "m" has no job: its rows change and it has no key, and such changes are written as JSON only',
    ],
    [
      '{ key_format: avro }',
      'SELECT customer AS `a b`, COUNT(*) AS n FROM {{ source("orders") }} GROUP BY customer',
      'error LV5004 model "m" has no job: its column "a b" has a name that Avro does not allow: names are letters, digits and "_"',
    ],
    [
      '{ format: avro }',
      'SELECT MAP[id, 1] AS m FROM {{ source("orders") }}',
      'error LV5004 model "m" has no job: its column "m" is a MAP whose keys are not text, which Avro does not have',
    ],
    [
      '{ format: avro }',
      'SELECT CAST(ts AS TIMESTAMP(6)) AS t FROM {{ source("orders") }}',
      'warning LV5001 model "m" has no job: the engine does not write TIMESTAMP(6) in Avro, which is the type of its column "t"',
    ],
  ])('are refused in %s for %s', async (schema, sql, said) => {
    expect(saidOf(await modelWith(schema, sql))).toContain(said);
  });

  test('need a registry in Avro', async () => {
    const bare = runtime.replace(/ {2}schema_registry.*\n/, '').replace('VERSION', '2.2');
    const result = await compiled({ 'models/m.yml': models, 'stream_project.yml': bare });
    expect(saidOf(result)).toContain(
      'error LV5004 model "all.columns" has no job: records that it writes are Avro, and the project has no schema registry',
    );
  });
});
