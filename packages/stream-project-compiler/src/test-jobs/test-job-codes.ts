import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of what is found when jobs of tests are written (502x). */
export const testJobCodes = {
  'test-not-written': {
    code: 'LV5020',
    title: 'Continuous test without a job',
    severity: 'warning',
    doc: 'No job is written for the test, because the project does not say enough about the records under test: the model has no job itself, columns are not declared, or the engine cannot read their format. The message names what is missing. Nothing checks the assertions until then, and the project has a hole: `validate` and `compile` end with 6 unless `--allow-incomplete` is given.',
  },
  'assertion-not-continuous': {
    code: 'LV5021',
    title: 'Assertion that cannot run continuously',
    severity: 'error',
    doc: 'A continuous test is a job that reads records as they come and that only adds violations to a topic. This assertion needs something else: rows that were replaced, an end of the records, or the time at which another record came. The message has the reason. Change the assertion, or move it to a test of type `sample`.',
  },
  'test-assumed-types': {
    code: 'LV5022',
    title: 'Columns under test with assumed types',
    severity: 'info',
    doc: 'Nothing says the type of these columns. The test reads each with the type that its assertions need, or as `STRING`. Values that are not of that type end the job of the test. Declare the columns with their types.',
  },
  'violations-topic-used': {
    code: 'LV5023',
    title: 'Topic of violations that something else uses',
    severity: 'error',
    doc: 'Violations of continuous tests are written to the topic `defaults.tests.violations_topic`, which is `<project>.test-violations` where the project says nothing. A source, a model or a `dlq` has this topic too, so that violations would be among other records. Use a separate topic.',
  },
  'dead-letters-missing': {
    code: 'LV5024',
    title: 'Topic of failed records that gets none',
    severity: 'warning',
    doc: 'A `dlq` gets the records that fail, and no assertion of the test looks at records one by one: those about windows, such as `throughput`, and queries have no record that could be handed on. Add an assertion such as `not_null`, or remove the action. Violations are written in any case.',
  },
} as const satisfies CodeTable;
