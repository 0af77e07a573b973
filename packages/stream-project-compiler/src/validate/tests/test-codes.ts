import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of tests: assertions (320x, 321x), and tests as a whole (322x). */
export const testCodes = {
  'empty-assertion': {
    code: 'LV3201',
    title: 'Empty test or assertion',
    severity: 'warning',
    doc: 'A test without assertions, or an assertion with an empty list, checks nothing and always passes; `accepted_values` without values always fails. Add an entry, or remove the assertion.',
  },
  'repeated-assertion': {
    code: 'LV3202',
    title: 'Duplicate assertion',
    severity: 'warning',
    doc: 'Two assertions of a test are equal. The second one checks and reports the same records again. Usually one of them was meant for another column.',
  },
  'repeated-entry': {
    code: 'LV3203',
    title: 'Duplicate list entry',
    severity: 'warning',
    doc: 'A column, a value, a model or a source is listed twice. The second entry has no effect. Usually another one was meant.',
  },
  'contradictory-bounds': {
    code: 'LV3204',
    title: 'Contradictory bounds',
    severity: 'error',
    doc: 'A lower bound is greater than the upper one, or the shares of a distribution add up to more than 1. No record can satisfy the assertion, so the test always fails. Usually the two were swapped.',
  },
  'bucket-without-effect': {
    code: 'LV3205',
    title: 'Bucket without a share',
    severity: 'warning',
    doc: 'A bucket of `distribution` compares the share of its records with `expected_ratio` (plus or minus `tolerance`), `min_ratio` or `max_ratio`. Without any of them nothing is compared, and `tolerance` has no effect without `expected_ratio`.',
  },
  'overlapping-buckets': {
    code: 'LV3206',
    title: 'Overlapping buckets',
    severity: 'warning',
    doc: 'A value in two buckets of a `distribution` counts in both, so the shares add up to more than 1. A bucket includes its `min` and excludes its `max`, so the next one may begin where it ends.',
  },
  'assertion-column': {
    code: 'LV3207',
    title: 'Assertion on an unknown column',
    severity: 'error',
    doc: 'The model or source under test has no column of this name, so the assertion cannot be checked. Names of columns are case-sensitive. For `foreign_key` the unknown column may be the `ref_key` of the other model. Nothing is reported if not all columns are known.',
  },
  'assertion-type': {
    code: 'LV3208',
    title: 'Assertion on a column of the wrong type',
    severity: 'error',
    doc: '`range`, `distribution` and `positive` compare numbers, `max_lag` and `freshness` need a time (`TIMESTAMP` or `TIMESTAMP_LTZ`), and `accepted_values` compares with text, numbers, booleans and times. The engine cannot compare this column. Cast it in the SQL of the model, or use another column.',
  },
  'accepted-value-type': {
    code: 'LV3209',
    title: 'Accepted value of the wrong type',
    severity: 'error',
    doc: 'A value of `accepted_values` is of another type than the column: a number where the column is text, or text where it is a number. The engine does not compare the two. In YAML `1` is a number and `"1"` is text.',
  },
  'too-many-values': {
    code: 'LV3210',
    title: 'Too many accepted values',
    severity: 'warning',
    doc: 'Each record is compared with every value of `accepted_values`. For more than 1,000 values use a model and `foreign_key`.',
  },
  'accepted-type': {
    code: 'LV3211',
    title: 'Unknown accepted type',
    severity: 'error',
    doc: '`accepted_types` accepts types of the engine, such as `DECIMAL(10, 2)`, and the names string, str, text, number, int, integer, bigint, long, float, double, boolean, bool, timestamp, datetime, date and time.',
  },
  'foreign-key-type': {
    code: 'LV3212',
    title: 'Foreign key of the wrong type',
    severity: 'error',
    doc: 'The column and the key of the other model have types that the engine cannot compare, such as `STRING` and `BIGINT`. Cast one of them in the SQL of its model.',
  },
  'lag-of-processing-time': {
    code: 'LV3213',
    title: 'Lag of a processing time',
    severity: 'warning',
    doc: '`max_lag` and `freshness` compare a column with the time of the check. This column is the time at which the engine reads the record, so the assertion always passes. Use the event time column.',
  },
  'window-without-event-time': {
    code: 'LV3214',
    title: 'Window without event time',
    severity: 'warning',
    doc: 'The `window` of a continuous test uses event time. The model or source under test has none, so the window uses processing time, and records that are read again fall into a different window. Declare `event_time` of the source, and select its column unchanged.',
  },
  'custom-sql-target': {
    code: 'LV3215',
    title: 'Query that does not read the model under test',
    severity: 'warning',
    doc: 'The query of a `custom_sql` reads the model or source under test as `{{ model }}`; `{{ ref("name") }}` and `{{ source("name") }}` work as well. This query reads something else, so it does not test the `model`.',
  },
  'custom-sql-columns': {
    code: 'LV3216',
    title: 'Several columns compared with one value',
    severity: 'warning',
    doc: '`expect` of a `custom_sql` is one value, and the query returns several columns. Select one column, such as `COUNT(*)`, or remove `expect`.',
  },
  'sample-size-ignored': {
    code: 'LV3220',
    title: 'Sample size without effect',
    severity: 'warning',
    doc: '`sample_size` is the number of records that a test of type `sample` reads. It has no effect in tests of other types. Remove it, or change the type.',
  },
  'test-of-sink': {
    code: 'LV3221',
    title: 'Test of a sink',
    severity: 'warning',
    doc: 'A test reads records of a topic. A sink writes to another system and has no topic, so there is nothing to read. Test the model or source that the sink reads.',
  },
  'schema-test-needs-data': {
    code: 'LV3222',
    title: 'Assertion that needs records in a schema test',
    severity: 'warning',
    doc: 'A test of type `schema` checks declarations and reads no records. Declarations have no lag, throughput, distribution, age or query results, so the assertion always passes. Move it to a test of type `sample` or `continuous`.',
  },
  'dead-letter-loop': {
    code: 'LV3223',
    title: 'Failed records that are read again',
    severity: 'error',
    doc: 'A test writes failed records to its `dlq` topic. Here that is the topic under test, or an input of the model under test: each failed record is read, fails and is written again in an endless loop. Use a separate topic.',
  },
  'dead-letter-topic-shared': {
    code: 'LV3224',
    title: 'Dead letter topic that a model writes',
    severity: 'warning',
    doc: 'The `dlq` topic of a test is also written by the SQL of a model. Consumers of the model then get failed records, of a different form. Use a separate topic; it may be declared by a source, or by a model without `sql`.',
  },
} as const satisfies CodeTable;
