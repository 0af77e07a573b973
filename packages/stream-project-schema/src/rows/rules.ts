import type { ObjectField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';

const topics = {
  type: 'object',
  doc: 'Rules for the topics of models. They look at values after defaults.',
  fields: {
    min_partitions: { type: 'integer', min: 1, doc: 'Fewest partitions.' },
    max_partitions: { type: 'integer', min: 1, doc: 'Most partitions.' },
    min_replication_factor: { type: 'integer', min: 1, doc: 'Fewest replicas.' },
    required_config: {
      type: 'list',
      doc: 'Topic configuration keys that every topic must set.',
      items: { type: 'text', notEmpty: true, format: 'config-key', doc: 'A topic configuration key.' },
    },
    naming_pattern: {
      type: 'text',
      notEmpty: true,
      format: 'regular-expression',
      doc: 'Regular expression that names of topics match.',
    },
    forbidden_prefixes: {
      type: 'list',
      doc: 'What no name of a topic may begin with.',
      items: { type: 'text', notEmpty: true, doc: 'A prefix.' },
    },
  },
} as const satisfies ObjectField;

const models = {
  type: 'object',
  doc: 'Rules for models.',
  fields: {
    require_description: { type: 'boolean', default: false, doc: 'Every model has a description.' },
    require_owner: { type: 'boolean', default: false, doc: 'Every model has an owner.' },
    require_tests: { type: 'boolean', default: false, doc: 'Every model has at least one test.' },
    max_dependencies: { type: 'integer', min: 0, doc: 'Most sources and models that a model reads.' },
  },
} as const satisfies ObjectField;

const sources = {
  type: 'object',
  doc: 'Rules for sources.',
  fields: {
    require_schema: { type: 'boolean', default: false, doc: 'Every source has a schema.' },
    require_freshness: { type: 'boolean', default: false, doc: 'Every source has a freshness.' },
  },
} as const satisfies ObjectField;

const security = {
  type: 'object',
  doc: 'Rules for what columns hold.',
  fields: {
    require_classification: { type: 'boolean', default: false, doc: 'Every column has a classification.' },
    sensitive_columns_require_masking: {
      type: 'boolean',
      default: false,
      doc: 'Columns classified `sensitive` or `highly_sensitive` are masked.',
    },
  },
} as const satisfies ObjectField;

export const rulesField = {
  type: 'object',
  doc: 'Governance: rules that break validation when they do not hold.',
  movedFrom: ['governance', 'policies', 'project.rules', 'project.governance'],
  fields: { topics, models, sources, security },
} as const satisfies ObjectField;

/** The section `rules`. */
export type Rules = ValueOf<typeof rulesField>;
