import { casesOf, type HostileCase } from './hostile-case.ts';
import { soundProjectFile, soundWith, withFile } from './sound-project.ts';

const select = 'sql: "SELECT id FROM {{ source(\'orders\') }}"';
const sink = (from: string) => `from: [{ref: ${from}}], sink: {connector: jdbc-sink, config: {}}`;

/** Models that cannot run, or undo others. */
const models = casesOf<readonly string[]>(
  'models',
  {
    'topics that differ in a dot': [
      'similar-topic',
      [
        `{name: a, ${select}, advanced: {topic: {name: x.y}}}`,
        `{name: b, ${select}, advanced: {topic: {name: x_y}}}`,
      ],
    ],
    'one topic for two': [
      'topic-collision',
      [
        `{name: a, ${select}, advanced: {topic: {name: x}}}`,
        `{name: b, ${select}, advanced: {topic: {name: x}}}`,
      ],
    ],
    'a cluster that is not there': [
      'unknown-cluster',
      [`{name: a, sql: "SELECT COUNT(*) AS n FROM {{ ref('paid') }}", advanced: {engine_cluster: nothing}}`],
    ],
    'a sink without a connector runtime': ['connect-required', [`{name: a, ${sink('paid')}}`]],
    'a model of another group': [
      'access-denied',
      [
        `{name: a, access: private, group: x, ${select}}`,
        `{name: b, group: y, sql: "SELECT id FROM {{ ref('a') }}"}`,
      ],
    ],
    'a version that went': [
      'sunset-reference',
      [
        `{name: a, version: 1, deprecation: {v1: {sunset_date: 2001-01-01}}, ${select}}`,
        `{name: b, sql: "SELECT id FROM {{ ref('a') }}"}`,
      ],
    ],
    'a column that is not there': [
      'unknown-column',
      [`{name: a, sql: "SELECT nothing FROM {{ ref('paid') }}"}`],
    ],
    'a comparison of text with a number': [
      'type-mismatch',
      [`{name: a, sql: "SELECT id FROM {{ ref('paid') }} WHERE customer = 1"}`],
    ],
    'a function of too many arguments': [
      'argument-count',
      [`{name: a, sql: "SELECT UPPER(customer, customer, customer) AS x FROM {{ ref('paid') }}"}`],
    ],
    'a window over text': [
      'window-type',
      [
        `{name: a, sql: "SELECT window_start FROM TABLE(TUMBLE(TABLE {{ ref('paid') }}, DESCRIPTOR(customer), INTERVAL '1' HOUR)) GROUP BY window_start, window_end"}`,
      ],
    ],
    '20,000 columns, the last of which is not there': [
      'unknown-column',
      [
        `{name: a, sql: "SELECT ${Array.from({ length: 20_000 }, (_, at) => `id AS c${at}`).join(', ')}, nothing FROM {{ ref('paid') }}"}`,
      ],
    ],
    'columns that double forty times': ['unknown-column', doublings(40)],
  },
  (list) => withFile(`models:\n${list.map((model) => `  - ${model}\n`).join('')}`),
);

/** Each model has every column of the one before twice: without a bound the last has a billion. */
function doublings(count: number): readonly string[] {
  const first = `{name: d0, sql: "SELECT id FROM {{ ref('paid') }}"}`;
  const others = Array.from(
    { length: count },
    (_, at) =>
      `{name: d${at + 1}, sql: "SELECT a.*, b.* FROM {{ ref('d${at}') }} AS a, {{ ref('d${at}') }} AS b"}`,
  );
  return [first, ...others, `{name: last, sql: "SELECT nothing FROM {{ ref('paid') }}"}`];
}

/** Rules that the sound project breaks, or that nothing can keep. */
const rules = casesOf<string>(
  'rules',
  {
    'an owner for every model': ['rule-require-owner', 'models: {require_owner: true}'],
    'a forbidden beginning': ['rule-forbidden-prefix', 'topics: {forbidden_prefixes: [pa]}'],
    'a pattern for names': ['rule-naming-pattern', 'topics: {naming_pattern: "^[0-9]+$"}'],
    'a pattern that looks ahead': ['invalid-pattern', 'topics: {naming_pattern: "(?=a)b"}'],
    'a pattern that looks back': ['invalid-pattern', 'topics: {naming_pattern: "(?<=a)b"}'],
    'a pattern that repeats what it found': ['invalid-pattern', 'topics: {naming_pattern: "(a+)\\\\1"}'],
    'bounds that nothing keeps': ['rule-bounds', 'topics: {min_partitions: 9, max_partitions: 3}'],
    'a class for every column': ['rule-require-classification', 'security: {require_classification: true}'],
    'settings of every topic': ['rule-required-config', 'topics: {required_config: [retention.ms]}'],
    'no dependencies': ['rule-max-dependencies', 'models: {max_dependencies: 0}'],
  },
  (rule) => soundWith({ 'stream_project.yml': `${soundProjectFile}rules: {${rule}}\n` }),
);

/** Cases of reliability 3.7 and 3.9 that only rules and types find. */
export const ruleCases: readonly HostileCase[] = [...models, ...rules];
