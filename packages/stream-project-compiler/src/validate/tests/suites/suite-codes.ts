import type { CodeTable } from '../../../diagnostics/diagnostic.ts';

/** Codes of tests as a whole (322x). */
export const suiteCodes = {
  'sample-size-ignored': {
    code: 'LV3220',
    title: 'A number of records without a sample',
    severity: 'warning',
    doc: '`sample_size` says how many records a test of type `sample` reads. Tests of other types take no sample, so it has no effect there. Remove it, or change the type.',
  },
  'test-of-sink': {
    code: 'LV3221',
    title: 'A test of a sink',
    severity: 'warning',
    doc: 'A test reads records of a topic. A sink writes to another system and has no topic, so there is nothing to read. Test the model or source that the sink reads.',
  },
  'schema-test-needs-data': {
    code: 'LV3222',
    title: 'An assertion on records in a test that reads none',
    severity: 'warning',
    doc: 'A test of type `schema` compares with what is declared and reads no records. Declarations say nothing of lag, throughput, distribution or age, nor what a query answers, so the assertion always passes. Move it to a test of type `sample` or `continuous`.',
  },
  'dead-letter-loop': {
    code: 'LV3223',
    title: 'Failed records that come back',
    severity: 'error',
    doc: 'A test writes records that fail to its `dlq` topic. Here that is the topic under test, or one that the model under test reads: each failed record is read again, fails again and is written again, without end. Name a topic of its own.',
  },
  'dead-letter-topic-shared': {
    code: 'LV3224',
    title: 'Failed records among those of a model',
    severity: 'warning',
    doc: 'The `dlq` topic of a test is also written by the SQL of a model. Those who read the model then get records that failed a test, of another form. Name a topic of its own; a source may describe it, and so may a model without `sql`.',
  },
} as const satisfies CodeTable;
