import { describe, expect, test } from 'vitest';
import { completions, type DocumentForm } from '../src/index.ts';
import { createEditor } from './editor.ts';

const editor = createEditor('project');
const fragment = createEditor('fragment');

/** A project whose other sections are in order. */
function project(rest: string): string {
  return `project:
  name: shop
runtime:
  platform:
    bootstrap_servers: localhost:9092
${rest}`;
}

const places: readonly {
  readonly at: string;
  readonly path: string;
  readonly present?: readonly string[];
}[] = [
  { at: 'runtime:\n  §', path: 'runtime' },
  { at: 'runtime:\n  platform:\n    §', path: 'runtime.platform' },
  { at: 'runtime:\n  platform:\n    security_protocol: §', path: 'runtime.platform.security_protocol' },
  {
    at: 'runtime:\n  engine:\n    clusters:\n      local:\n        §',
    path: 'runtime.engine.clusters.local',
  },
  { at: 'runtime:\n  vendor:\n    §', path: 'runtime.vendor' },
  { at: 'defaults:\n  models:\n    topic:\n      §', path: 'defaults.models.topic' },
  { at: 'rules:\n  topics:\n    §', path: 'rules.topics' },
  { at: 'rules:\n  models:\n    require_owner: §', path: 'rules.models.require_owner' },
  { at: 'sources:\n  - name: raw\n    §', path: 'sources[0]', present: ['name'] },
  { at: 'sources:\n  - event_time:\n      watermark:\n        §', path: 'sources[0].event_time.watermark' },
  { at: 'models:\n  - name: clean\n    §', path: 'models[0]', present: ['name'] },
  { at: 'models:\n  - access: §', path: 'models[0].access' },
  { at: 'models:\n  - advanced:\n      §', path: 'models[0].advanced' },
  { at: 'models:\n  - advanced:\n      engine:\n        §', path: 'models[0].advanced.engine' },
  { at: 'models:\n  - sink:\n      connector: §', path: 'models[0].sink.connector' },
  { at: 'models:\n  - from:\n      - §', path: 'models[0].from[0]' },
  { at: 'tests:\n  - assertions:\n      - §', path: 'tests[0].assertions[0]' },
  { at: 'tests:\n  - on_failure:\n      §', path: 'tests[0].on_failure' },
  { at: 'exposures:\n  - sla:\n      §', path: 'exposures[0].sla' },
  { at: 'exposures:\n  - consumes:\n      - §', path: 'exposures[0].consumes[0]' },
];

test.each(places)('offers at $path what the rows have there', async ({ at, path, present = [] }) => {
  const expected = completions({ path, present }).map(({ label }) => label);
  expect(expected.length).toBeGreaterThan(0);
  expect([...(await editor.offers(at))].sort()).toEqual([...expected].sort());
});

const documents: readonly { readonly form: DocumentForm; readonly keys: readonly string[] }[] = [
  {
    form: 'project',
    keys: ['project', 'runtime', 'defaults', 'rules', 'sources', 'models', 'tests', 'exposures'],
  },
  { form: 'fragment', keys: ['sources', 'models', 'tests', 'exposures'] },
];

test.each(documents)('offers the keys of a $form file in an empty one', async ({ form, keys }) => {
  const offers = await (form === 'project' ? editor : fragment).offers('§');
  expect(offers).toEqual(expect.arrayContaining([...keys]));
  expect(offers.includes('project')).toBe(form === 'project');
});

describe('marks', () => {
  const model = (rest: string) => project(`models:\n  - name: clean\n${rest}`);
  const cases: readonly {
    readonly what: string;
    readonly text: string;
    readonly marks: readonly string[];
  }[] = [
    {
      what: 'an unknown key in its place',
      text: model('    descripton: x\n    sql: SELECT 1 FROM t\n'),
      marks: ['8: Property descripton is not allowed.'],
    },
    {
      what: 'a word that is none of the list',
      text: model('    access: secret\n    sql: SELECT 1 FROM t\n'),
      marks: ['8: Value is not accepted. Valid values: "private", "protected", "public".'],
    },
    {
      what: 'a number out of bounds',
      text: model('    sql: SELECT 1 FROM t\n    advanced:\n      topic:\n        partitions: 0\n'),
      marks: ['11: Value is below the minimum of 1.'],
    },
    {
      what: 'a planned key',
      text: model(
        '    sql: SELECT 1 FROM t\n    advanced:\n      engine:\n        checkpoint_timeout_ms: 1\n',
      ),
      marks: ['11: planned, not supported yet'],
    },
    {
      what: 'a sink model without sink',
      text: model('    from: raw\n'),
      marks: ['7: Missing property "sink".'],
    },
    {
      what: 'two keys that exclude each other, in our words',
      text: model('    sql: SELECT 1 FROM t\n    sink: {connector: jdbc-sink, config: {}}\n'),
      marks: ['9: a model has "sql" or "sink", not both'],
    },
    {
      what: 'an assertion of two kinds',
      text: project(
        'tests:\n  - {name: t, model: m, type: sample, assertions: [{not_null: {columns: [a]}, range: {column: a, min: 1}}]}\n',
      ),
      marks: ['7: Object has more properties than limit of 1.'],
    },
    {
      what: 'a section that belongs in the project file',
      text: 'rules: {}\n',
      marks: ['1: Property rules is not allowed.'],
    },
    {
      what: 'nothing in a project with variables in place of numbers, words and booleans',
      text: `${model(
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
        '    sql: SELECT 1 FROM t\n    access: ${ACCESS}\n    advanced: {topic: {partitions: "${PARTITIONS}"}}\n',
      )}rules:\n  models:\n    require_owner: \${OWNED:-true}\n`,
      marks: [],
    },
    {
      what: 'nothing in sections without a value',
      text: project('defaults:\nrules:\nsources:\nmodels:\ntests:\nexposures:\n'),
      marks: [],
    },
  ];

  test.each(cases)('marks $what', async ({ text, marks }) => {
    const service = text.startsWith('rules') ? fragment : editor;
    expect(await service.marks(text)).toEqual(marks);
  });
});

test('shows what a key means, and what the words of a list mean', async () => {
  const shown = await editor.hover('models:\n  - acc§ess: public\n');
  expect(shown).toContain('#### access');
  expect(shown).toContain('Who may refer to it.');
  expect(shown).toContain('`protected`: Models of the same project may refer to it.');
});
