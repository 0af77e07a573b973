import type { ChoiceField, ObjectField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';
import { failureSeverities, testTypes } from '../fields/vocabulary.ts';
import { assertionFields } from './assertions.ts';

const alert = {
  type: 'object',
  doc: 'Sends an alert. Other keys are passed to the channel unchanged.',
  open: true,
  movedFrom: ['tests[].on_failure.actions[].send_alert'],
  fields: {
    type: {
      type: 'text',
      notEmpty: true,
      suggestions: ['chat', 'pager', 'webhook', 'email'],
      doc: 'Kind of channel.',
    },
    channel: { type: 'text', notEmpty: true, doc: 'The channel.' },
    message: { type: 'text', status: 'extension', doc: 'What to say.' },
    url: { type: 'text', secret: true, status: 'extension', doc: 'Address of the channel.' },
    webhook: { type: 'text', secret: true, status: 'extension', doc: 'Address of the channel.' },
    routing_key: { type: 'text', secret: true, status: 'extension', doc: 'Key of the channel.' },
  },
} as const satisfies ObjectField;

const action = {
  type: 'choice',
  doc: 'One thing to do.',
  fields: {
    alert,
    dlq: {
      type: 'object',
      doc: 'Writes records that fail to a topic.',
      fields: {
        topic: {
          type: 'text',
          required: true,
          notEmpty: true,
          format: 'topic',
          doc: 'Name of the topic.',
          movedFrom: ['tests[].on_failure.actions[].dlq.model'],
        },
      },
    },
  },
} as const satisfies ChoiceField;

export const testField = {
  type: 'object',
  doc: 'Assertions on the data of a model.',
  fields: {
    name: { type: 'text', required: true, notEmpty: true, format: 'label', doc: 'Unique name.' },
    model: {
      type: 'text',
      required: true,
      notEmpty: true,
      refersTo: 'model-or-source',
      doc: 'Model under test.',
      movedFrom: ['tests[].source', 'tests[].ref'],
    },
    type: {
      type: 'enum',
      values: testTypes,
      required: true,
      doc: 'How the test runs.',
      movedFrom: ['tests[].kind'],
    },
    assertions: {
      type: 'list',
      required: true,
      doc: 'What must hold.',
      items: { type: 'choice', doc: 'One assertion.', fields: assertionFields },
    },
    sample_size: {
      type: 'integer',
      min: 1,
      doc: 'Records to look at, for tests of type `sample`.',
      movedFrom: ['defaults.tests.sample_size'],
    },
    engine_cluster: {
      type: 'text',
      refersTo: 'engine-cluster',
      doc: 'Engine cluster that runs the test.',
      movedFrom: ['tests[].cluster', 'tests[].advanced'],
    },
    on_failure: {
      type: 'object',
      doc: 'What to do when an assertion does not hold.',
      fields: {
        severity: {
          type: 'enum',
          values: failureSeverities,
          doc: 'How bad it is.',
          movedFrom: ['tests[].severity'],
        },
        actions: { type: 'list', doc: 'What to do, in order.', items: action },
      },
    },
    description: { type: 'text', doc: 'What the test is for.' },
  },
} as const satisfies ObjectField;

/** One entry of `tests`. */
export type DataTest = ValueOf<typeof testField>;
/** One entry of `assertions`: an object with one key, the kind. */
export type Assertion = DataTest['assertions'][number];
