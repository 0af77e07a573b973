import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of 30xx: what the section `rules` asks for, and mistakes in it. Rules of `rules.security` are 33xx. */
export const governanceCodes = {
  'rule-min-partitions': {
    code: 'LV3001',
    title: 'Fewer partitions than the rule requires',
    severity: 'error',
    doc: '`rules.topics.min_partitions` applies to every model that becomes a topic or a job, after defaults: the number of the model, else of `defaults.models.topic`, else of `defaults.topic`. If none of them is set, the platform decides and nothing is reported.',
  },
  'rule-max-partitions': {
    code: 'LV3002',
    title: 'More partitions than the rule allows',
    severity: 'error',
    doc: '`rules.topics.max_partitions` applies to every model that becomes a topic or a job, after defaults. It is reported where the number is set.',
  },
  'rule-min-replication': {
    code: 'LV3003',
    title: 'Fewer replicas than the rule requires',
    severity: 'error',
    doc: '`rules.topics.min_replication_factor` applies to every model that becomes a topic or a job, after defaults. It is reported where the number is set.',
  },
  'rule-required-config': {
    code: 'LV3004',
    title: 'Missing topic configuration key',
    severity: 'error',
    doc: 'Every model that becomes a topic or a job sets each key of `rules.topics.required_config` in `advanced.topic.config`. The value does not matter. One finding for each model.',
  },
  'rule-naming-pattern': {
    code: 'LV3005',
    title: 'Topic name that does not match the pattern',
    severity: 'error',
    doc: '`rules.topics.naming_pattern` is matched against the whole name of every topic that a model writes, `advanced.topic.name` or else the name of the model; `^` and `$` may be left out. The syntax is that of RE2.',
  },
  'rule-forbidden-prefix': {
    code: 'LV3006',
    title: 'Topic name with a forbidden prefix',
    severity: 'error',
    doc: 'The name of a topic that a model writes begins with an entry of `rules.topics.forbidden_prefixes`. Case-sensitive.',
  },
  'rule-require-description': {
    code: 'LV3007',
    title: 'Model without a description',
    severity: 'error',
    doc: '`rules.models.require_description` requires a `description` of every model, sinks and virtual topics included. White space does not count.',
  },
  'rule-require-owner': {
    code: 'LV3008',
    title: 'Model without an owner',
    severity: 'error',
    doc: '`rules.models.require_owner` requires an `owner` of every model, sinks and virtual topics included. White space does not count.',
  },
  'rule-require-tests': {
    code: 'LV3009',
    title: 'Model without a test',
    severity: 'error',
    doc: '`rules.models.require_tests` requires at least one test with the name of the model in `model`, of any type. Not reported while a file cannot be read, because it may contain the test.',
  },
  'rule-max-dependencies': {
    code: 'LV3010',
    title: 'Too many inputs',
    severity: 'error',
    doc: '`rules.models.max_dependencies` counts the sources, models and topics in the SQL and the `from` of a model, each once. The first one above the limit is reported.',
  },
  'rule-require-schema': {
    code: 'LV3011',
    title: 'Source without a schema',
    severity: 'error',
    doc: '`rules.sources.require_schema` requires a `schema` of every source. Columns alone are not a schema.',
  },
  'rule-require-freshness': {
    code: 'LV3012',
    title: 'Source without a freshness',
    severity: 'error',
    doc: '`rules.sources.require_freshness` requires a `freshness` of every source.',
  },
  'invalid-pattern': {
    code: 'LV3020',
    title: 'Invalid naming pattern',
    severity: 'error',
    doc: '`rules.topics.naming_pattern` is a regular expression in the syntax of RE2, which is matched in linear time and supports neither lookaround nor references to groups. It has at most 1,000 characters, counts such as `{3,20}` that add up to at most 300, and takes at most 1,000 states. While it is invalid no name is checked.',
  },
  'rule-bounds': {
    code: 'LV3021',
    title: 'Contradictory rules',
    severity: 'error',
    doc: '`rules.topics.min_partitions` is larger than `rules.topics.max_partitions`. No number of partitions satisfies both, so neither is checked.',
  },
} as const satisfies CodeTable;
