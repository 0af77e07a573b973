import type { ListField, ObjectField, Section, TextField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';

const column = {
  type: 'text',
  required: true,
  notEmpty: true,
  refersTo: 'column',
  doc: 'Column to look at.',
} as const satisfies TextField;

const columnList = {
  type: 'list',
  required: true,
  doc: 'Columns to look at.',
  items: { type: 'text', notEmpty: true, refersTo: 'column', doc: 'A column.' },
} as const satisfies ListField;

const bucketFields = {
  min: { type: 'number', doc: 'Smallest value of the bucket.' },
  max: { type: 'number', doc: 'What values of the bucket stay below.' },
  expected_ratio: { type: 'number', min: 0, max: 1, doc: 'Share of records that is expected.' },
  min_ratio: { type: 'number', min: 0, max: 1, doc: 'Smallest share of records.' },
  max_ratio: { type: 'number', min: 0, max: 1, doc: 'Largest share of records.' },
  tolerance: { type: 'number', min: 0, max: 1, doc: 'How far the share may be from `expected_ratio`.' },
} as const satisfies Section;

const range = {
  type: 'object',
  doc: 'Values lie within bounds.',
  fields: {
    column,
    min: { type: 'number', doc: 'Smallest value.' },
    max: { type: 'number', doc: 'Largest value.' },
  },
  constraints: [{ kind: 'needs', needs: ['min', 'max'], message: '"range" needs "min", "max" or both' }],
} as const satisfies ObjectField;

const throughput = {
  type: 'object',
  doc: 'Records per second lie within bounds.',
  fields: {
    min_per_second: {
      type: 'number',
      min: 0,
      doc: 'Fewest records in a second.',
      movedFrom: ['tests[].assertions[].throughput.min_per_minute'],
    },
    max_per_second: {
      type: 'number',
      min: 0,
      doc: 'Most records in a second.',
      movedFrom: ['tests[].assertions[].throughput.max_per_minute'],
    },
  },
  constraints: [
    {
      kind: 'needs',
      needs: ['min_per_second', 'max_per_second'],
      message: '"throughput" needs "min_per_second", "max_per_second" or both',
    },
  ],
} as const satisfies ObjectField;

/** Kinds of assertions by the key that says them. */
export const assertionFields = {
  not_null: {
    type: 'object',
    doc: 'Columns are never null.',
    fields: { columns: columnList },
  },
  accepted_values: {
    type: 'object',
    doc: 'A column holds only listed values.',
    movedFrom: ['tests[].assertions[].allowed_values'],
    fields: {
      column,
      values: {
        type: 'list',
        required: true,
        doc: 'The values.',
        items: { type: 'scalar', orNull: true, doc: 'A value.' },
      },
    },
  },
  accepted_types: {
    type: 'object',
    doc: 'Columns can be read as a type.',
    fields: {
      types: {
        type: 'map',
        keys: 'column',
        required: true,
        doc: 'Type by column.',
        values: {
          type: 'text',
          notEmpty: true,
          format: 'engine-type',
          doc: "Type in the engine's SQL, or one of the words `str`, `text`, `number`, `long`, `bool` and `datetime`.",
        },
      },
    },
  },
  range,
  unique_key: {
    type: 'object',
    doc: 'A key comes once, within a window if there is one.',
    movedFrom: ['tests[].assertions[].unique'],
    fields: {
      key: {
        type: 'text',
        required: true,
        notEmpty: true,
        refersTo: 'column',
        doc: 'Column that is unique; several are written with commas between.',
      },
      window: {
        type: 'text',
        format: 'window',
        doc: 'How long a key must not come again, for example `1 HOUR`.',
      },
      tolerance: { type: 'number', min: 0, max: 1, doc: 'Share of records that may repeat a key.' },
    },
  },
  max_lag: {
    type: 'object',
    doc: 'Event time does not lag by more than the limit.',
    movedFrom: ['tests[].assertions[].max_latency'],
    fields: {
      column,
      max_seconds: {
        type: 'number',
        min: 0,
        required: true,
        doc: 'Maximum lag in seconds.',
        movedFrom: ['tests[].assertions[].max_lag.seconds', 'tests[].assertions[].max_lag.max_lag_seconds'],
      },
    },
  },
  throughput,
  distribution: {
    type: 'object',
    doc: 'Values are distributed as expected.',
    fields: {
      column,
      buckets: {
        type: 'list',
        required: true,
        doc: 'Ranges of values and their share of the records.',
        items: { type: 'object', doc: 'One range.', fields: bucketFields },
      },
    },
  },
  foreign_key: {
    type: 'object',
    doc: 'Values are keys of another model.',
    fields: {
      column,
      ref_model: { type: 'text', required: true, notEmpty: true, refersTo: 'model', doc: 'The other model.' },
      ref_key: { type: 'text', required: true, notEmpty: true, doc: 'Its key column.' },
    },
  },
  custom_sql: {
    type: 'object',
    doc: 'A query answers what is expected.',
    movedFrom: ['tests[].assertions[].expression', 'tests[].assertions[].sql'],
    fields: {
      sql: {
        type: 'text',
        required: true,
        notEmpty: true,
        format: 'sql',
        doc: 'The query. It reads the model or source under test as `{{ model }}`, and others with `{{ ref("name") }}` and `{{ source("name") }}`.',
        movedFrom: ['tests[].assertions[].custom_sql.where'],
      },
      expect: {
        type: 'any',
        doc: 'What it answers. One value is compared with the one column that the query selects.',
      },
    },
  },
  freshness: {
    type: 'object',
    doc: 'The newest record is not too old.',
    fields: {
      column,
      max_age_minutes: {
        type: 'number',
        min: 0,
        required: true,
        doc: 'Most minutes since the newest record.',
      },
    },
  },
  positive: {
    type: 'object',
    doc: 'Values are above zero.',
    fields: {
      column,
      allow_zero: { type: 'boolean', default: false, doc: 'Zero counts too.' },
    },
  },
} as const satisfies Section;

/** The name of one of the twelve kinds of assertions. */
export type AssertionKind = keyof typeof assertionFields;

/** What an assertion of a kind says. */
export type AssertionValue<K extends AssertionKind> = ValueOf<(typeof assertionFields)[K]>;
