import type { IntegerField } from '../fields/field.ts';

/** Partitions of a topic that the project creates. */
export const partitions = {
  type: 'integer',
  min: 1,
  max: 100_000,
  doc: 'Number of partitions.',
} as const satisfies IntegerField;

/** Replicas of a topic that the project creates. */
export const replicationFactor = {
  type: 'integer',
  min: 1,
  max: 32_767,
  doc: 'Number of replicas of each partition.',
} as const satisfies IntegerField;
