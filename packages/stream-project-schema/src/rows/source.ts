import type { ListField, ObjectField, Section, UnionField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';
import {
  classifications,
  keyFormats,
  recordMetadata,
  schemaFormats,
  sourceChangelogs,
} from '../fields/vocabulary.ts';
import { latenessFields } from './event-time.ts';

const schema = {
  type: 'object',
  doc: 'Schema of the records.',
  movedFrom: ['sources[].schema_ref'],
  fields: {
    registry: { type: 'text', doc: 'Kind of registry, or a name of your own.' },
    subject: { type: 'text', doc: 'Subject in the registry.' },
    format: { type: 'enum', values: schemaFormats, doc: 'Language of the schema.' },
    definition: { type: 'text', doc: 'The schema itself, instead of a registry.' },
    key_format: {
      type: 'enum',
      values: keyFormats,
      status: 'extension',
      doc: 'Format of record keys. Default: a key of one text column as it is, any other as JSON.',
    },
    embedded: {
      type: 'boolean',
      default: false,
      status: 'extension',
      doc: 'Each JSON record carries its schema, as Kafka Connect writes it with `schemas.enable`. Only with `changelog: debezium`.',
    },
    message_class: {
      type: 'text',
      notEmpty: true,
      status: 'extension',
      doc: 'Java class of the Protobuf message, which the cluster has in its class path. Records have no header of a registry.',
    },
  },
} as const satisfies ObjectField;

const columnFields = {
  name: { type: 'text', required: true, notEmpty: true, doc: 'Name of the column.' },
  type: {
    type: 'text',
    notEmpty: true,
    format: 'engine-type',
    suggestions: ['STRING', 'BIGINT', 'INT', 'BOOLEAN', 'DOUBLE', 'TIMESTAMP(3)', 'DECIMAL(10, 2)'],
    doc: "Type in the engine's SQL.",
    movedFrom: ['sources[].columns[].data_type'],
  },
  description: { type: 'text', doc: 'What the column holds.' },
  classification: {
    type: 'enum',
    values: classifications,
    doc: 'How sensitive the content is.',
    movedFrom: ['sources[].pii_tags'],
  },
  proctime: {
    type: 'boolean',
    default: false,
    doc: 'The column is a processing-time attribute, which the engine computes.',
  },
  metadata: {
    type: 'enum',
    values: recordMetadata,
    status: 'extension',
    doc: 'The column is read from the metadata of the record, not from its value. It needs no `type`, except with `key`.',
  },
  expression: {
    type: 'text',
    notEmpty: true,
    status: 'extension',
    doc: 'The column is computed by this SQL expression of the other columns. Its type is that of the expression.',
  },
} as const satisfies Section;

const columns = {
  type: 'list',
  doc: 'Columns of the records.',
  items: {
    type: 'object',
    doc: 'One column.',
    fields: columnFields,
    constraints: [
      {
        kind: 'excludes',
        keys: ['proctime', 'metadata'],
        message: 'a column is either a processing time or metadata of the record',
      },
      {
        kind: 'excludes',
        keys: ['proctime', 'expression'],
        message: 'a column is either a processing time or computed by an expression',
      },
      {
        kind: 'excludes',
        keys: ['metadata', 'expression'],
        message: 'a column is either metadata of the record or computed by an expression',
      },
      {
        kind: 'excludes',
        keys: ['expression', 'type'],
        message: 'the type of a computed column is that of its expression; write CAST for another one',
      },
    ],
  },
} as const satisfies ListField;

const key = {
  type: 'union',
  status: 'extension',
  doc: 'Columns that say what a record is about: the primary key of a table, the record key of a compacted topic.',
  options: [
    { type: 'text', notEmpty: true, refersTo: 'column', doc: 'One column.' },
    {
      type: 'list',
      doc: 'Several columns.',
      items: { type: 'text', notEmpty: true, refersTo: 'column', doc: 'A column.' },
    },
  ],
} as const satisfies UnionField;

const freshness = {
  type: 'object',
  doc: 'How much the source may lag.',
  fields: {
    max_lag_seconds: {
      type: 'integer',
      min: 0,
      unit: 's',
      doc: 'Lag in seconds that is an error.',
      movedFrom: ['sources[].freshness.error_after'],
    },
    warn_after_seconds: {
      type: 'integer',
      min: 0,
      unit: 's',
      doc: 'Lag in seconds that is a warning.',
      movedFrom: ['sources[].freshness.warn_after'],
    },
  },
  movedFrom: ['sources[].sla'],
} as const satisfies ObjectField;

const eventTime = {
  type: 'object',
  doc: 'When the events happened.',
  fields: {
    column: {
      type: 'text',
      required: true,
      notEmpty: true,
      refersTo: 'column',
      doc: 'Column that holds the event time.',
      movedFrom: ['sources[].event_time.field'],
    },
    ...latenessFields,
  },
  movedFrom: ['sources[].watermark'],
} as const satisfies ObjectField;

const advanced = {
  type: 'object',
  doc: 'The watermark, where it is not written in `event_time`.',
  fields: {
    event_time: { type: 'object', doc: 'Watermark of the event time.', fields: latenessFields },
  },
} as const satisfies ObjectField;

export const sourceField = {
  type: 'object',
  doc: 'A topic that exists already.',
  fields: {
    name: {
      type: 'text',
      required: true,
      notEmpty: true,
      format: 'identifier',
      doc: 'Unique name; SQL reads it with `{{ source("name") }}`.',
    },
    topic: { type: 'text', required: true, notEmpty: true, format: 'topic', doc: 'Name of the topic.' },
    partitions: {
      type: 'integer',
      min: 1,
      max: 100_000,
      status: 'extension',
      doc: 'Number of partitions of the topic: as many tasks of a job can read it in parallel.',
    },
    description: { type: 'text', doc: 'What the records are.' },
    cluster: { type: 'text', doc: 'Name of the platform cluster.' },
    owner: { type: 'text', doc: 'Who answers for it.' },
    tags: {
      type: 'list',
      doc: 'Words to select by.',
      items: { type: 'text', notEmpty: true, doc: 'A tag.' },
    },
    key,
    changelog: {
      type: 'enum',
      values: sourceChangelogs,
      default: 'append',
      status: 'extension',
      doc: 'How the rows of a table are in the topic.',
    },
    schema,
    columns,
    freshness,
    event_time: eventTime,
    advanced,
  },
  constraints: [
    {
      kind: 'excludes',
      keys: ['event_time.watermark', 'advanced.event_time.watermark'],
      message:
        'the watermark is given twice, in "event_time.watermark" and in "advanced.event_time.watermark"',
    },
    {
      kind: 'needs',
      has: ['advanced.event_time'],
      needs: ['event_time'],
      message: '"advanced.event_time" needs "event_time" with its "column"',
    },
    {
      kind: 'excludes',
      keys: ['schema.registry', 'schema.message_class'],
      message: 'records of a registry have a header, which the engine does not read by a class of Protobuf',
    },
  ],
} as const satisfies ObjectField;

/** One entry of `sources`. */
export type Source = ValueOf<typeof sourceField>;
/** One column of a source. */
export type SourceColumn = NonNullable<Source['columns']>[number];
