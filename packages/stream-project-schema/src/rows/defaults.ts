import type { ObjectField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';
import { partitions, replicationFactor } from './topic-numbers.ts';

export const defaultsField = {
  type: 'object',
  doc: 'What holds where a source, a model or a test says nothing.',
  fields: {
    topic: {
      type: 'object',
      doc: 'Topics. Each number by itself: what the model says, then `defaults.models.topic`, then this.',
      fields: {
        partitions,
        replication_factor: { ...replicationFactor, movedFrom: ['defaults.topic.replicas'] },
      },
    },
    models: {
      type: 'object',
      doc: 'Models.',
      fields: {
        cluster: {
          type: 'text',
          refersTo: 'engine-cluster',
          doc: 'Engine cluster of models that name none.',
          movedFrom: ['defaults.models.engine_cluster'],
        },
        topic: {
          type: 'object',
          doc: 'Output topics of models.',
          fields: {
            partitions,
            replication_factor: { ...replicationFactor, movedFrom: ['defaults.models.topic.replicas'] },
          },
        },
      },
    },
    tests: {
      type: 'object',
      doc: 'Tests.',
      fields: {
        engine_cluster: {
          type: 'text',
          refersTo: 'engine-cluster',
          doc: 'Engine cluster of tests that name none.',
          movedFrom: ['defaults.tests.cluster'],
        },
        violations_topic: {
          type: 'text',
          format: 'topic',
          status: 'extension',
          doc: 'Topic for violations of continuous tests. Without it the name of the project with `.test-violations`.',
        },
      },
    },
  },
} as const satisfies ObjectField;

/** The section `defaults`. */
export type Defaults = ValueOf<typeof defaultsField>;
