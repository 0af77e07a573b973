import type { ListField, MapField, ObjectField, UnionField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';
import {
  accessLevels,
  classifications,
  keyFormats,
  maskingMethods,
  schemaFormats,
} from '../fields/vocabulary.ts';
import { modelAdvancedField } from './model-advanced.ts';
import { sinkField } from './sink.ts';

const from = {
  type: 'union',
  doc: 'Upstream model or topic: a name (a model, else a source, else a topic), or a list.',
  requiredWhen: 'the model is a sink',
  movedFrom: ['models[].depends_on', 'models[].sink.topic'],
  options: [
    {
      type: 'text',
      notEmpty: true,
      refersTo: 'topic-or-model',
      doc: 'Name of a model, a source or a topic.',
    },
    {
      type: 'list',
      doc: 'Upstream models.',
      items: {
        type: 'choice',
        doc: 'One upstream.',
        fields: {
          ref: {
            type: 'text',
            notEmpty: true,
            refersTo: 'model',
            doc: 'Name of a model.',
            movedFrom: ['models[].from[].model'],
          },
          source: {
            type: 'text',
            notEmpty: true,
            refersTo: 'source',
            status: 'extension',
            doc: 'Name of a source.',
          },
        },
      },
    },
  ],
} as const satisfies UnionField;

const columns = {
  type: 'list',
  doc: 'What is known of output columns. Names and types come from the SQL.',
  items: {
    type: 'object',
    doc: 'One column.',
    fields: {
      name: { type: 'text', required: true, notEmpty: true, refersTo: 'column', doc: 'Name of the column.' },
      description: { type: 'text', doc: 'What the column holds.' },
      classification: { type: 'enum', values: classifications, doc: 'How sensitive the content is.' },
    },
  },
} as const satisfies ListField;

const mask = {
  type: 'object',
  doc: 'Masks a column.',
  fields: {
    column: { type: 'text', required: true, notEmpty: true, refersTo: 'column', doc: 'Column to mask.' },
    method: {
      type: 'enum',
      values: maskingMethods,
      required: true,
      doc: 'How the value is masked. `null` may be written with or without quotes.',
    },
    secret: {
      type: 'text',
      secret: true,
      status: 'extension',
      doc: 'Secret of the mask `hash`, as one variable. Without it everybody can compute the hash of a value that they guess.',
    },
    for_roles: {
      type: 'list',
      doc: 'Roles that see the masked value. Default: everybody.',
      items: { type: 'text', notEmpty: true, doc: 'A role.' },
      movedFrom: ['models[].security.policies[].mask.roles', 'models[].security.policies[].mask.applied_in'],
    },
  },
} as const satisfies ObjectField;

const security = {
  type: 'object',
  doc: 'How sensitive columns are, and what is done about it.',
  fields: {
    classification: {
      type: 'map',
      keys: 'column',
      doc: 'Classification by column.',
      values: { type: 'enum', values: classifications, doc: 'How sensitive the content is.' },
    },
    policies: {
      type: 'list',
      doc: 'What is done, in order.',
      items: { type: 'choice', doc: 'One policy.', open: true, fields: { mask } },
      movedFrom: ['models[].security.masking', 'models[].policies', 'models[].masking'],
    },
  },
} as const satisfies ObjectField;

const schema = {
  type: 'object',
  status: 'extension',
  doc: 'How the records of the topic are written. Their schema is made of the columns.',
  fields: {
    format: {
      type: 'enum',
      values: schemaFormats,
      status: 'extension',
      doc: 'Language of the schema of values, and their format: Avro needs the registry, Protobuf a class on the cluster. Default: `json`.',
    },
    key_format: {
      type: 'enum',
      values: keyFormats,
      status: 'extension',
      doc: 'Format of keys, with a schema of their own. Default: a key of one text column as it is, any other as JSON, without a schema.',
    },
    subject: {
      type: 'text',
      notEmpty: true,
      status: 'extension',
      doc: 'Subject of the schema of values. Default: the topic with `-value`.',
    },
  },
} as const satisfies ObjectField;

const deprecation = {
  type: 'map',
  keys: 'version',
  doc: 'Versions that will go, by label, for example `v1`.',
  values: {
    type: 'object',
    doc: 'One version.',
    fields: {
      sunset_date: { type: 'text', format: 'date', doc: 'Day on which the version goes, as in ISO 8601.' },
      message: { type: 'text', doc: 'What to use instead.' },
    },
  },
} as const satisfies MapField;

const mlOutputs = {
  type: 'map',
  keys: 'model',
  doc: "What `ML_PREDICT('<model>', ...)` answers, by name of the machine-learning model. Needs a cluster of type `managed`.",
  values: {
    type: 'object',
    doc: 'One machine-learning model.',
    fields: {
      description: { type: 'text', doc: 'What the model predicts.' },
      columns: {
        type: 'list',
        doc: 'Columns of the answer.',
        items: {
          type: 'object',
          doc: 'One column.',
          fields: {
            name: { type: 'text', required: true, notEmpty: true, doc: 'Name of the column.' },
            type: { type: 'text', notEmpty: true, format: 'engine-type', doc: "Type in the engine's SQL." },
          },
        },
      },
    },
  },
} as const satisfies MapField;

export const modelField = {
  type: 'object',
  doc: 'A transformation that makes a new stream.',
  fields: {
    name: {
      type: 'text',
      required: true,
      notEmpty: true,
      format: 'identifier',
      doc: 'Unique name; SQL reads it with `{{ ref("name") }}`.',
    },
    description: { type: 'text', doc: 'What the records are.' },
    owner: { type: 'text', doc: 'Who answers for it.' },
    tags: {
      type: 'list',
      doc: 'Words to select by.',
      items: { type: 'text', notEmpty: true, doc: 'A tag.' },
    },
    access: { type: 'enum', values: accessLevels, doc: 'Who may refer to it.' },
    group: { type: 'text', notEmpty: true, doc: 'Logical group of models.' },
    version: { type: 'integer', min: 0, doc: 'Version of the model.' },
    key: { type: 'text', notEmpty: true, refersTo: 'column', doc: 'Column that decides the partition.' },
    sql: {
      type: 'text',
      notEmpty: true,
      format: 'sql',
      requiredWhen: 'the model is no sink',
      movedFrom: ['models[].query'],
      doc: 'One SELECT, with `{{ source("name") }}` and `{{ ref("name") }}` for what it reads.',
    },
    from,
    columns,
    schema,
    security,
    deprecation,
    ml_outputs: mlOutputs,
    advanced: modelAdvancedField,
    sink: sinkField,
  },
  constraints: [
    {
      kind: 'needs',
      has: ['from'],
      lacks: ['sql', 'advanced.gateway', 'advanced.sink'],
      needs: ['sink'],
      message: 'a model with "from" and without "sql" needs "sink"',
    },
    {
      kind: 'needs',
      has: ['sink'],
      lacks: ['sql'],
      needs: ['from'],
      message: 'a model with "sink" needs "from"',
    },
    {
      kind: 'needs',
      has: ['advanced.sink'],
      lacks: ['sql'],
      needs: ['from'],
      message: 'a model with "advanced.sink" needs "from"',
    },
    {
      kind: 'needs',
      lacks: ['from', 'sink', 'advanced.sink', 'advanced.topic'],
      needs: ['sql'],
      message: 'a model needs "sql", unless it is a sink',
    },
    {
      kind: 'excludes',
      keys: ['sink', 'advanced.sink'],
      message: 'a model has "sink" or "advanced.sink", not both',
    },
    { kind: 'excludes', keys: ['sql', 'sink'], message: 'a model has "sql" or "sink", not both' },
    {
      kind: 'excludes',
      keys: ['sql', 'advanced.sink'],
      message: 'a model has "sql" or "advanced.sink", not both',
    },
  ],
} as const satisfies ObjectField;

/** One entry of `models`. */
export type Model = ValueOf<typeof modelField>;
