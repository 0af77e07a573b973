import type { DiagnosticName } from '../src/index.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

/** A project that breaks a rule, and how people see it. */
export interface GovernanceFixture {
  readonly files: Readonly<Record<string, string>>;
  /** What text output holds; lines of the file and carets included. */
  readonly shows: string;
}

const model = lines(
  'models:',
  '  - name: orders',
  '    sql: SELECT id FROM {{ source("payments") }}',
  '    advanced:',
  '      topic: {name: orders.v1, partitions: 3, replication_factor: 1}',
);
const source = lines('sources:', '  - {name: payments, topic: payments.v1}');

/** The model and the source above, with these rules. */
function withRules(...rules: readonly string[]): Readonly<Record<string, string>> {
  return {
    'stream_project.yml': projectWith('rules:', ...rules.map((line) => `  ${line}`)),
    'models/m.yml': model,
    'sources/s.yml': source,
  };
}

/** One for every code of 30xx. */
export const governanceFixtures: Readonly<Partial<Record<DiagnosticName, GovernanceFixture>>> = {
  'rule-min-partitions': {
    files: withRules('topics: {min_partitions: 6}'),
    shows: lines(
      'models/m.yml:5:44  error  LV3001  model "orders" has 3 partitions, but rule "topics.min_partitions" requires at least 6 — set at least 6',
      '  5 |       topic: {name: orders.v1, partitions: 3, replication_factor: 1}',
      '    |                                            ^',
      '  stream_project.yml:15:28  rule defined here',
    ),
  },
  'rule-max-partitions': {
    files: {
      'sources/s.yml': source,
      'stream_project.yml': projectWith(
        'rules:',
        '  topics: {max_partitions: 12}',
        'defaults:',
        '  models:',
        '    topic: {partitions: 64}',
      ),
      'models/m.yml': lines(
        'models:',
        '  - name: orders',
        '    sql: SELECT id FROM {{ source("payments") }}',
      ),
    },
    shows: lines(
      'stream_project.yml:18:25  error  LV3002  model "orders" gets 64 partitions from "defaults.models.topic.partitions", but rule "topics.max_partitions" requires at most 12 — set at most 12 there, or set "advanced.topic.partitions" of the model',
      '  18 |     topic: {partitions: 64}',
      '     |                         ^^',
      '  stream_project.yml:15:28  rule defined here',
    ),
  },
  'rule-min-replication': {
    files: withRules('topics: {min_replication_factor: 3}'),
    shows:
      'models/m.yml:5:67  error  LV3003  model "orders" has 1 replica, but rule "topics.min_replication_factor" requires at least 3 — set at least 3',
  },
  'rule-required-config': {
    files: withRules('topics: {required_config: [retention.ms, cleanup.policy]}'),
    shows:
      'models/m.yml:5:7  error  LV3004  the topic of model "orders" does not set "retention.ms", "cleanup.policy", but rule "topics.required_config" requires it — add "retention.ms" to "advanced.topic.config"',
  },
  'rule-naming-pattern': {
    files: withRules("topics: {naming_pattern: '[a-z]+\\.[a-z]+\\.v\\d+'}"),
    shows: lines(
      'models/m.yml:5:21  error  LV3005  model "orders" writes topic "orders.v1", but rule "topics.naming_pattern" requires names that match "[a-z]+\\.[a-z]+\\.v\\d+" — set "advanced.topic.name" of the model',
      '  5 |       topic: {name: orders.v1, partitions: 3, replication_factor: 1}',
      '    |                     ^^^^^^^^^',
      '  stream_project.yml:15:28  rule defined here',
    ),
  },
  'rule-forbidden-prefix': {
    files: withRules('topics: {forbidden_prefixes: [tmp., ord]}'),
    shows:
      'models/m.yml:5:21  error  LV3006  model "orders" writes topic "orders.v1", but rule "topics.forbidden_prefixes" forbids names that begin with "ord" — set another "advanced.topic.name"',
  },
  'rule-require-description': {
    files: withRules('models: {require_description: true}'),
    shows: lines(
      'models/m.yml:2:11  error  LV3007  model "orders" has no description, but rule "models.require_description" requires one — add "description"',
      '  2 |   - name: orders',
      '    |           ^^^^^^',
      '  stream_project.yml:15:33  rule defined here',
    ),
  },
  'rule-require-owner': {
    files: withRules('models: {require_owner: true}'),
    shows:
      'models/m.yml:2:11  error  LV3008  model "orders" has no owner, but rule "models.require_owner" requires one — add "owner"',
  },
  'rule-require-tests': {
    files: withRules('models: {require_tests: true}'),
    shows:
      'models/m.yml:2:11  error  LV3009  model "orders" has no test, but rule "models.require_tests" requires at least one — add a test with "model: orders"',
  },
  'rule-max-dependencies': {
    files: {
      ...withRules('models: {max_dependencies: 1}'),
      'models/m.yml': lines(
        'models:',
        '  - name: orders',
        '    sql: |',
        '      SELECT a.id FROM {{ source("payments") }} a',
        '      JOIN {{ source("refunds") }} b ON a.id = b.id',
      ),
      'sources/r.yml': lines('sources:', '  - {name: refunds, topic: refunds.v1}'),
    },
    shows: lines(
      'models/m.yml:5:23  error  LV3010  model "orders" reads 2 sources and models, but rule "models.max_dependencies" allows at most 1 — split the model',
      '  5 |       JOIN {{ source("refunds") }} b ON a.id = b.id',
      '    |                       ^^^^^^^',
      '  stream_project.yml:15:30  rule defined here',
    ),
  },
  'rule-require-schema': {
    files: withRules('sources: {require_schema: true}'),
    shows:
      'sources/s.yml:2:12  error  LV3011  source "payments" has no schema, but rule "sources.require_schema" requires one — add "schema"',
  },
  'rule-require-freshness': {
    files: withRules('sources: {require_freshness: true}'),
    shows:
      'sources/s.yml:2:12  error  LV3012  source "payments" has no freshness, but rule "sources.require_freshness" requires one — add "freshness"',
  },
  'invalid-pattern': {
    files: withRules("topics: {naming_pattern: 'a(?=b)'}"),
    shows: lines(
      'stream_project.yml:15:30  error  LV3020  "rules.topics.naming_pattern" is not a valid regular expression: invalid or unsupported Perl syntax at "(?=", expected RE2 syntax — lookaround is not supported: describe the whole name',
      "  15 |   topics: {naming_pattern: 'a(?=b)'}",
      '     |                              ^^^',
    ),
  },
  'rule-bounds': {
    files: withRules('topics: {min_partitions: 9, max_partitions: 6}'),
    shows:
      'stream_project.yml:15:47  error  LV3021  "rules.topics.max_partitions" (6) is less than "rules.topics.min_partitions" (9) — swap the two',
  },
};
