import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of 30xx: what the section `rules` asks for, and mistakes in it. Rules of `rules.security` are 33xx. */
export const governanceCodes = {
  'rule-min-partitions': {
    code: 'LV3001',
    title: 'A topic with fewer partitions than the rule allows',
    severity: 'error',
    doc: '`rules.topics.min_partitions` looks at every model that becomes a topic or a job, after defaults: the number of the model, else of `defaults.models.topic`, else of `defaults.topic`. Where none of them says a number, the platform decides and nothing is reported.',
  },
  'rule-max-partitions': {
    code: 'LV3002',
    title: 'A topic with more partitions than the rule allows',
    severity: 'error',
    doc: '`rules.topics.max_partitions` looks at every model that becomes a topic or a job, after defaults. The place is where the number comes from.',
  },
  'rule-min-replication': {
    code: 'LV3003',
    title: 'A topic with fewer replicas than the rule allows',
    severity: 'error',
    doc: '`rules.topics.min_replication_factor` looks at every model that becomes a topic or a job, after defaults. The place is where the number comes from.',
  },
  'rule-required-config': {
    code: 'LV3004',
    title: 'A topic without a configuration key that the rule asks for',
    severity: 'error',
    doc: 'Every model that becomes a topic or a job sets each key of `rules.topics.required_config` in `advanced.topic.config`. The value does not matter. One finding for each model.',
  },
  'rule-naming-pattern': {
    code: 'LV3005',
    title: 'A topic whose name does not match the pattern',
    severity: 'error',
    doc: '`rules.topics.naming_pattern` is matched against the whole name of every topic that a model writes, `advanced.topic.name` or else the name of the model; `^` and `$` may be left out. The syntax is that of RE2.',
  },
  'rule-forbidden-prefix': {
    code: 'LV3006',
    title: 'A topic whose name begins with a forbidden prefix',
    severity: 'error',
    doc: 'The name of a topic that a model writes begins with an entry of `rules.topics.forbidden_prefixes`. Case counts.',
  },
  'rule-require-description': {
    code: 'LV3007',
    title: 'A model without a description',
    severity: 'error',
    doc: '`rules.models.require_description` asks for a `description` of every model, sinks and virtual topics included. White space is none.',
  },
  'rule-require-owner': {
    code: 'LV3008',
    title: 'A model without an owner',
    severity: 'error',
    doc: '`rules.models.require_owner` asks for an `owner` of every model, sinks and virtual topics included. White space is none.',
  },
  'rule-require-tests': {
    code: 'LV3009',
    title: 'A model without a test',
    severity: 'error',
    doc: '`rules.models.require_tests` asks for at least one test with the name of the model in `model`, of any type. Not reported while a file cannot be read, because the test may be there.',
  },
  'rule-max-dependencies': {
    code: 'LV3010',
    title: 'A model that reads more than the rule allows',
    severity: 'error',
    doc: '`rules.models.max_dependencies` counts the sources, models and topics that a model names in its SQL and in `from`, each once. The place is the first one beyond the limit.',
  },
  'rule-require-schema': {
    code: 'LV3011',
    title: 'A source without a schema',
    severity: 'error',
    doc: '`rules.sources.require_schema` asks for a `schema` of every source. Columns alone are none.',
  },
  'rule-require-freshness': {
    code: 'LV3012',
    title: 'A source without a freshness',
    severity: 'error',
    doc: '`rules.sources.require_freshness` asks for a `freshness` of every source.',
  },
  'invalid-pattern': {
    code: 'LV3020',
    title: 'A pattern for names that cannot be used',
    severity: 'error',
    doc: '`rules.topics.naming_pattern` is a regular expression in the syntax of RE2, which is matched in linear time and so has neither lookaround nor references to groups. It has at most 1,000 characters, counts such as `{3,20}` that add up to at most 300, and takes at most 1,000 states. While it is wrong no name is checked.',
  },
  'rule-bounds': {
    code: 'LV3021',
    title: 'Rules that no topic can keep',
    severity: 'error',
    doc: '`rules.topics.min_partitions` is larger than `rules.topics.max_partitions`. No number of partitions keeps both, so neither is checked.',
  },
} as const satisfies CodeTable;
