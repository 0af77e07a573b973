import type { DiagnosticName } from '../../src/index.ts';
import { casesOf, type HostileCase } from './hostile-case.ts';
import { soundProjectFile, soundWith, withFile, withMistakeBeside } from './sound-project.ts';

const select = 'sql: "SELECT id FROM {{ source(\'orders\') }}"';

/** Values that are no text, by YAML 1.2; others such as `no` and `1_000` are text. */
const typedWords = [
  '017',
  '0o17',
  '0x1F',
  '1e3',
  '.inf',
  '-.inf',
  '.nan',
  '12345678901234567890',
  'true',
  'False',
  '1.5',
];

const typed = casesOf(
  'fields',
  Object.fromEntries(typedWords.map((word) => [`${word} for text`, ['wrong-type', word] as const])),
  (word) => withFile(`models:\n  - {name: a, ${select}, owner: ${word}}\n`),
);

/** Words that YAML 1.1 has other values for. */
const untypedWords = [
  'yes',
  'no',
  'on',
  'off',
  '1_000',
  '12:30:45',
  '2026-11-21',
  '0x_1',
  '"6"',
  '~',
  '2.5',
  '0',
  '-1',
  '1e9',
  '1000000000',
];

const partitions = casesOf(
  'fields',
  Object.fromEntries(
    untypedWords
      .filter((word) => word !== '~')
      .map((word) => [
        `${word} partitions`,
        [/^(0|-1|1e9|1000000000)$/.test(word) ? 'invalid-value' : 'wrong-type', word] as const,
      ]),
  ),
  (word) => withFile(`models:\n  - {name: a, ${select}, advanced: {topic: {partitions: ${word}}}}\n`),
);

const documents = casesOf(
  'fields',
  {
    'models as a map': ['wrong-type', 'models: {}'],
    'models as text': ['wrong-type', 'models: "x"'],
    'models as a number': ['wrong-type', 'models: 7'],
    'a model that is null': ['wrong-type', 'models: [~]'],
    'a model that is text': ['wrong-type', 'models: [a, b]'],
    'a model in a list of lists': ['wrong-type', 'models: [[{name: a}]]'],
    'sources as a map by name': ['wrong-type', 'sources: {orders2: {topic: a}}'],
    'tests as text': ['wrong-type', 'tests: all'],
    'exposures as true': ['wrong-type', 'exposures: true'],
    'a misspelt section': ['unknown-key', 'modles: []'],
    'a section of the project file': ['unknown-key', 'rules: {}'],
    'the key __proto__': ['unknown-key', '__proto__: {x: 1}'],
    'the key constructor': ['unknown-key', 'constructor: {prototype: {x: 1}}'],
    'merged keys of objects': [
      'unknown-key',
      'x: &x {__proto__: {x: 1}}\nmodels:\n- {<<: *x, name: a, sql: SELECT 1}',
    ],
    'an empty key': ['unknown-key', '"": 1'],
    'a key of 100,000 characters': ['unknown-key', `${'k'.repeat(1000)}: 1`],
    'a key with a line end': ['unknown-key', '"models\\n": []'],
    'a key with a terminal sequence': ['unknown-key', '"\\e[2J\\e]0;x\\a": 1'],
  },
  withFile,
);

const models = casesOf(
  'model',
  {
    'without a name': ['missing-key', `{${select}}`],
    'with an empty name': ['wrong-type', `{name: , ${select}}`],
    'with a name of blanks': ['invalid-value', `{name: "  ", ${select}}`],
    'with a backtick in its name': ['invalid-value', `{name: "a\`b", ${select}}`],
    'with a quote in its name': ['invalid-value', `{name: "a'b", ${select}}`],
    'with a double quote in its name': ['invalid-value', `{name: 'a"b', ${select}}`],
    'with a semicolon in its name': ['invalid-value', `{name: "a;b", ${select}}`],
    'with a comment in its name': ['invalid-value', `{name: "a--b", ${select}}`],
    'with a line end in its name': ['invalid-value', `{name: "a\\nb", ${select}}`],
    'with NUL in its name': ['invalid-value', `{name: "a\\0b", ${select}}`],
    'with a path as its name': ['invalid-value', `{name: ../../etc/x, ${select}}`],
    'with an absolute path as its name': ['invalid-value', `{name: /etc/passwd, ${select}}`],
    'with a picture as its name': ['invalid-value', `{name: "\u{1F600}", ${select}}`],
    'with a letter of another script': ['invalid-value', `{name: "p\u0430id2", ${select}}`],
    'with a letter without width': ['invalid-value', `{name: "a\u200Bb", ${select}}`],
    'with writing from right to left': ['invalid-value', `{name: "a\u202Eb", ${select}}`],
    'with 300 letters': ['invalid-value', `{name: ${'a'.repeat(300)}, ${select}}`],
    'with a digit first': ['invalid-value', `{name: "1a", ${select}}`],
    'with the name of another': ['duplicate-name', `{name: paid, ${select}}`],
    'with a list as its name': ['wrong-type', `{name: [a], ${select}}`],
    'with a misspelt key': ['unknown-key', `{name: a, ${select}, descripton: x}`],
    'with its kind': ['unknown-key', `{name: a, ${select}, materialized: topic}`],
    'with a topic beside advanced': ['unknown-key', `{name: a, ${select}, topic: {partitions: 3}}`],
    'without SQL and from': ['missing-key', '{name: a}'],
    'with from alone': ['missing-key', '{name: a, from: paid}'],
    'with a sink alone': ['missing-key', '{name: a, sink: {connector: jdbc-sink, config: {}}}'],
    'with a sink without connector': ['missing-key', '{name: a, from: paid, sink: {config: {}}}'],
    'with a sink without config': ['missing-key', '{name: a, from: paid, sink: {connector: jdbc-sink}}'],
    'with two sinks': [
      'conflicting-keys',
      '{name: a, from: paid, sink: {connector: jdbc-sink, config: {}}, advanced: {sink: {connector: jdbc-sink, config: {}}}}',
    ],
    'from itself': ['cycle', '{name: a, from: a, sink: {connector: jdbc-sink, config: {}}}'],
    'from a model that is not there': [
      'unknown-model',
      '{name: a, from: [{ref: nothing}], sink: {connector: jdbc-sink, config: {}}}',
    ],
    'from two kinds in one entry': [
      'one-key',
      '{name: a, from: [{ref: paid, source: orders}], sink: {connector: jdbc-sink, config: {}}}',
    ],
    'with unknown access': ['bad-enum', `{name: a, ${select}, access: hidden}`],
    'with a version in text': ['wrong-type', `{name: a, ${select}, version: v1}`],
    'with columns that are null': ['wrong-type', `{name: a, ${select}, columns: [~]}`],
    'with columns as a map': ['wrong-type', `{name: a, ${select}, columns: {id: BIGINT}}`],
    'with an unknown class': [
      'bad-enum',
      `{name: a, ${select}, columns: [{name: id, classification: secret}]}`,
    ],
    'with a mask of no method': [
      'bad-enum',
      `{name: a, ${select}, security: {policies: [{mask: {column: id, method: md5}}]}}`,
    ],
    'with a mask of no column': [
      'missing-key',
      `{name: a, ${select}, security: {policies: [{mask: {method: hash}}]}}`,
    ],
    'with a day that does not exist': [
      'invalid-value',
      `{name: a, ${select}, deprecation: {v1: {sunset_date: 2025-13-45}}}`,
    ],
    'with the 29th of February': [
      'invalid-value',
      `{name: a, ${select}, deprecation: {v1: {sunset_date: 2025-02-29}}}`,
    ],
    'with a time as a day': [
      'invalid-value',
      `{name: a, ${select}, deprecation: {v1: {sunset_date: "tomorrow"}}}`,
    ],
    'with half a replica': [
      'wrong-type',
      `{name: a, ${select}, advanced: {topic: {replication_factor: 0.5}}}`,
    ],
    'with no replica': ['invalid-value', `{name: a, ${select}, advanced: {topic: {replication_factor: 0}}}`],
    'with an illegal topic': ['invalid-value', `{name: a, ${select}, advanced: {topic: {name: "a b"}}}`],
    'with a topic of 250 letters': [
      'invalid-value',
      `{name: a, ${select}, advanced: {topic: {name: ${'t'.repeat(250)}}}}`,
    ],
    'with the topic ".."': ['invalid-value', `{name: a, ${select}, advanced: {topic: {name: ..}}}`],
    'with a planned setting': [
      'planned-key',
      `{name: a, ${select}, advanced: {engine: {checkpoint_timeout_ms: 1000}}}`,
    ],
    'with a state of no time': [
      'invalid-value',
      `{name: a, ${select}, advanced: {engine: {state_ttl_ms: 0}}}`,
    ],
    'with parallelism of nothing': [
      'invalid-value',
      `{name: a, ${select}, advanced: {engine: {parallelism: 0}}}`,
    ],
    'with another state backend': [
      'bad-enum',
      `{name: a, ${select}, advanced: {engine: {state_backend: memory}}}`,
    ],
    'with another compression': [
      'bad-enum',
      `{name: a, ${select}, advanced: {gateway: {virtual_topic: {name: v, compression: zip}}}}`,
    ],
    'with a gateway that does not exist': [
      'gateway-required',
      `{name: a, ${select}, advanced: {gateway: {virtual_topic: {name: v}}}}`,
    ],
  },
  (model) => withFile(`models:\n  - ${model}\n`),
);

const others = casesOf(
  'fields',
  {
    'a source without topic': ['missing-key', 'sources: [{name: a}]'],
    'a source twice': ['duplicate-name', 'sources: [{name: orders, topic: b}]'],
    'a type that ends the statement': [
      'column-type',
      "sources: [{name: a, topic: b, columns: [{name: c, type: \"STRING) WITH ('connector' = 'x'); --\"}]}]",
    ],
    'a type of another engine': [
      'column-type',
      'sources: [{name: a, topic: b, columns: [{name: c, type: TEXT}]}]',
    ],
    'types in types': [
      'column-type',
      `sources: [{name: a, topic: b, columns: [{name: c, type: "${'ARRAY<'.repeat(1000)}INT${'>'.repeat(1000)}"}]}]`,
    ],
    'a watermark before the event': [
      'invalid-value',
      'sources: [{name: a, topic: b, event_time: {column: c, watermark: {max_out_of_orderness_ms: -1}}}]',
    ],
    'a schema of another kind': ['bad-enum', 'sources: [{name: a, topic: b, schema: {format: xml}}]'],
    'a test of nothing': [
      'test-target-not-found',
      'tests: [{name: a, model: nothing, type: schema, assertions: [{not_null: {columns: [a]}}]}]',
    ],
    'a test of no kind': ['bad-enum', 'tests: [{name: a, model: paid, type: unit, assertions: []}]'],
    'a test twice': [
      'duplicate-name',
      'tests: [{name: paid_has_ids, model: paid, type: schema, assertions: [{not_null: {columns: [id]}}]}]',
    ],
    'an assertion of nothing': [
      'unknown-key',
      'tests: [{name: a, model: paid, type: schema, assertions: [{always: {}}]}]',
    ],
    'an assertion of two kinds': [
      'one-key',
      'tests: [{name: a, model: paid, type: schema, assertions: [{not_null: {columns: [id]}, positive: {column: id}}]}]',
    ],
    'a window of fortnights': [
      'invalid-value',
      'tests: [{name: a, model: paid, type: sample, assertions: [{unique_key: {key: id, window: 1 FORTNIGHT}}]}]',
    ],
    'a sample of nothing': [
      'invalid-value',
      'tests: [{name: a, model: paid, type: sample, sample_size: 0, assertions: [{not_null: {columns: [id]}}]}]',
    ],
    'an error rate of seven': [
      'invalid-value',
      'exposures: [{name: a, type: api, sla: {max_error_rate: 7}}]',
    ],
    'an exposure of no kind': ['bad-enum', 'exposures: [{name: a, type: robot}]'],
    'an exposure of a model that is not there': [
      'unknown-model',
      'exposures: [{name: a, type: api, consumes: [{ref: nothing}]}]',
    ],
    'an exposure of a source that is not there': [
      'unknown-source',
      'exposures: [{name: a, type: api, consumes: [{source: nothing}]}]',
    ],
    'a schedule that is none': [
      'invalid-value',
      'exposures: [{name: a, type: ml_training, schedule: "sometimes"}]',
    ],
  },
  withFile,
);

/** Projects whose rules, or numbers, contradict themselves or cannot be read. */
const projects = casesOf(
  'project',
  {
    'a pattern that is none': ['invalid-pattern', 'rules: {topics: {naming_pattern: "(["}}'],
    'a pattern that repeats nothing': ['invalid-pattern', 'rules: {topics: {naming_pattern: "*a"}}'],
    'a rule that is not there': ['unknown-key', 'rules: {topics: {max_replication: 3}}'],
    'a rule of the wrong kind': ['wrong-type', 'rules: {models: {require_owner: "yes"}}'],
    'no partitions by default': ['invalid-value', 'defaults: {topic: {partitions: 0}}'],
    'a registry without its address': ['missing-key', 'schema_registry: {}'],
    'an address that is none': ['invalid-value', 'schema_registry: {url: "not an address"}'],
    'an address of a file': ['invalid-value', 'schema_registry: {url: "file:///etc/passwd"}'],
    'an address of a script': ['invalid-value', 'schema_registry: {url: "javascript:alert(1)"}'],
    'a protocol of its own': ['bad-enum', 'platform: {bootstrap_servers: "a:1", security_protocol: TLS}'],
    'servers without a port': ['invalid-value', 'platform: {bootstrap_servers: "localhost"}'],
    'engines as a list': ['wrong-type', 'engine: {clusters: [{name: main}]}'],
    'an engine of no kind': ['bad-enum', 'engine: {clusters: {main: {type: laptop}}}'],
  } satisfies Readonly<Record<string, readonly [DiagnosticName, string]>>,
  (text) => {
    const inRuntime = !/^(rules|defaults):/.test(text);
    const head = 'project: {name: shop}\n';
    if (!inRuntime) return soundWith({ 'stream_project.yml': `${soundProjectFile}${text}\n` });
    const platform = text.startsWith('platform') ? '' : '  platform: {bootstrap_servers: "a:1"}\n';
    const engine = text.startsWith('engine') ? '' : '  engine: {clusters: {main: {type: rest}}}\n';
    return soundWith({ 'stream_project.yml': `${head}runtime:\n${platform}${engine}  ${text}\n` });
  },
);

const slowPatterns = [
  '^([a-z]+)+$',
  '^(a|a)*$',
  '(.*.*)*x',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  `(${'a?'.repeat(2000)})${'a'.repeat(2000)}`,
];

/** Patterns for which other engines take years on a name of 60 letters. */
const patterns = casesOf(
  'project, beside a mistake',
  Object.fromEntries(
    slowPatterns.map((pattern, at) => [`the slow pattern ${at + 1}`, ['unknown-key', pattern] as const]),
  ),
  (pattern) =>
    withMistakeBeside({
      'stream_project.yml': `${soundProjectFile}rules: {topics: {naming_pattern: ${JSON.stringify(pattern)}}}\n`,
      'models/long.yml': `models:\n  - {name: ${'a'.repeat(100)}, ${select}, advanced: {topic: {name: ${'a'.repeat(200)}}}}\n`,
    }),
);

/** Cases of reliability 3.7 that lie in what fields hold. */
export const fieldCases: readonly HostileCase[] = [
  ...typed,
  ...partitions,
  ...documents,
  ...models,
  ...others,
  ...projects,
  ...patterns,
];
