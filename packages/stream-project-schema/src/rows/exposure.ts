import type { ChoiceField, ObjectField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';
import { exposureRoles, exposureTypes } from '../fields/vocabulary.ts';

const dependency = {
  type: 'choice',
  doc: 'A model or a source.',
  fields: {
    ref: { type: 'text', notEmpty: true, refersTo: 'model', doc: 'Name of a model.' },
    source: { type: 'text', notEmpty: true, refersTo: 'source', doc: 'Name of a source.' },
  },
} as const satisfies ChoiceField;

const sla = {
  type: 'object',
  doc: 'What the exposure promises or needs.',
  fields: {
    availability: { type: 'text', notEmpty: true, doc: 'Share of time, for example `99.9%`.' },
    max_lag_messages: { type: 'integer', min: 0, doc: 'Maximum lag in records.' },
    max_lag_minutes: {
      type: 'integer',
      min: 0,
      unit: 'min',
      doc: 'Maximum lag in minutes.',
      movedFrom: ['exposures[].freshness'],
    },
    max_produce_latency_ms: { type: 'integer', min: 0, unit: 'ms', doc: 'Longest time to produce a record.' },
    max_end_to_end_latency_ms: {
      type: 'integer',
      min: 0,
      unit: 'ms',
      doc: 'Longest time from the event to the exposure.',
      movedFrom: ['exposures[].sla.latency_p99_ms', 'exposures[].sla.max_latency_ms'],
    },
    max_error_rate: { type: 'number', min: 0, max: 1, doc: 'Largest share of errors, from 0.0 to 1.0.' },
  },
} as const satisfies ObjectField;

export const exposureField = {
  type: 'object',
  doc: 'A consumer or producer outside of the project.',
  fields: {
    name: { type: 'text', required: true, notEmpty: true, format: 'label', doc: 'Unique name.' },
    type: {
      type: 'enum',
      values: exposureTypes,
      required: true,
      doc: 'What it is.',
      movedFrom: ['exposures[].kind'],
    },
    role: { type: 'enum', values: exposureRoles, doc: 'Which way data flows.' },
    description: { type: 'text', doc: 'What it does.' },
    owner: { type: 'text', doc: 'Who answers for it.' },
    url: { type: 'text', doc: 'Where it is.' },
    repo: { type: 'text', doc: 'Where its code is.' },
    language: { type: 'text', doc: 'Programming language.' },
    tool: { type: 'text', doc: 'BI tool, for dashboards.' },
    schedule: { type: 'text', format: 'cron', doc: 'When it runs, for batches: a cron expression.' },
    consumes: {
      type: 'list',
      doc: 'What it reads.',
      items: dependency,
      movedFrom: ['exposures[].depends_on'],
    },
    produces: { type: 'list', doc: 'What it writes.', items: dependency },
    consumer_group: {
      type: 'text',
      notEmpty: true,
      doc: 'Consumer group it reads with.',
      movedFrom: ['exposures[].consumer_config'],
    },
    sla,
    contracts: {
      type: 'object',
      doc: 'What it relies on.',
      fields: {
        schema: { type: 'text', notEmpty: true, doc: 'Subject of the schema.' },
        compatibility: {
          type: 'text',
          notEmpty: true,
          suggestions: [
            'BACKWARD',
            'BACKWARD_TRANSITIVE',
            'FORWARD',
            'FORWARD_TRANSITIVE',
            'FULL',
            'FULL_TRANSITIVE',
            'NONE',
          ],
          doc: 'How the schema may change.',
        },
      },
    },
    access: {
      type: 'object',
      doc: 'Who may use it, and what for.',
      fields: {
        roles: {
          type: 'list',
          doc: 'Roles.',
          items: { type: 'text', notEmpty: true, doc: 'A role.' },
          movedFrom: ['exposures[].access.allowed_roles'],
        },
        purpose: { type: 'text', doc: 'What for.' },
      },
    },
  },
} as const satisfies ObjectField;

/** One entry of `exposures`. */
export type Exposure = ValueOf<typeof exposureField>;
