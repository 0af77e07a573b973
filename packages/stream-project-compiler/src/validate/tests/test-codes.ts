import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of tests: assertions (320x, 321x), and tests as a whole (322x). */
export const testCodes = {
  'empty-assertion': {
    code: 'LV3201',
    title: 'A test or an assertion of nothing',
    severity: 'warning',
    doc: 'A test without assertions, or an assertion with an empty list, checks nothing and always passes; `accepted_values` without values always fails. Something was forgotten: add it, or remove the assertion.',
  },
  'repeated-assertion': {
    code: 'LV3202',
    title: 'An assertion that stands twice',
    severity: 'warning',
    doc: 'Two assertions of a test say the same. The second one checks and reports the same records again. Usually one of them was meant for another column.',
  },
  'repeated-entry': {
    code: 'LV3203',
    title: 'An entry that stands twice in a list',
    severity: 'warning',
    doc: 'A column, a value, a model or a source stands twice in one list. The second has no effect. Usually another one was meant.',
  },
  'contradictory-bounds': {
    code: 'LV3204',
    title: 'Bounds that nothing is within',
    severity: 'error',
    doc: 'A lower bound is above the upper one, or shares of a distribution are more than the whole. No record can satisfy the assertion, so the test always fails. Usually the two were swapped.',
  },
  'bucket-without-effect': {
    code: 'LV3205',
    title: 'A bucket that says nothing of its share',
    severity: 'warning',
    doc: 'A bucket of `distribution` compares the share of its records with `expected_ratio` (give or take `tolerance`), `min_ratio` or `max_ratio`. Without any of them nothing is compared, and `tolerance` says nothing without `expected_ratio`.',
  },
  'overlapping-buckets': {
    code: 'LV3206',
    title: 'Buckets that overlap',
    severity: 'warning',
    doc: 'A value lies in two buckets of a `distribution` and counts in both, so the shares add up to more than the whole. A bucket holds values from its `min` on that are below its `max`, so the next one may begin where it ends.',
  },
  'assertion-column': {
    code: 'LV3207',
    title: 'An assertion on a column that is not there',
    severity: 'error',
    doc: 'The model or source under test has no column of this name, so the assertion cannot be checked. Names of columns are case-sensitive. For `foreign_key` it may be the other model that lacks its `ref_key`. Nothing is reported where not all columns can be told.',
  },
  'assertion-type': {
    code: 'LV3208',
    title: 'An assertion on a column of another type',
    severity: 'error',
    doc: '`range`, `distribution` and `positive` compare numbers, `max_lag` and `freshness` are about a time (`TIMESTAMP` or `TIMESTAMP_LTZ`), and `accepted_values` compares with values that YAML can say. The engine refuses to compare this column like that. Cast it in the SQL of the model, or name another column.',
  },
  'accepted-value-type': {
    code: 'LV3209',
    title: 'A value that the column cannot hold',
    severity: 'error',
    doc: 'A value of `accepted_values` is of another type than the column: a number where the column is text, or text where it is a number. The engine does not compare the two. In YAML `1` is a number and `"1"` is text.',
  },
  'too-many-values': {
    code: 'LV3210',
    title: 'More accepted values than a test should compare with',
    severity: 'warning',
    doc: 'Each record is compared with every value of `accepted_values`. A list of more than 1,000 values is data: keep it in a topic that a model reads, and use `foreign_key`.',
  },
  'accepted-type': {
    code: 'LV3211',
    title: 'A type that does not exist',
    severity: 'error',
    doc: '`accepted_types` takes types of the engine, such as `DECIMAL(10, 2)`, and the words string, str, text, number, int, integer, bigint, long, float, double, boolean, bool, timestamp, datetime, date and time.',
  },
  'foreign-key-type': {
    code: 'LV3212',
    title: 'A foreign key of another type',
    severity: 'error',
    doc: 'The column and the key of the other model have types that the engine does not compare, such as `STRING` and `BIGINT`. Cast one of them in the SQL of its model.',
  },
  'lag-of-processing-time': {
    code: 'LV3213',
    title: 'Lag of a time that is never behind',
    severity: 'warning',
    doc: '`max_lag` and `freshness` compare a column with the time of the check. This column is the time at which the engine reads the record, so it is never behind and the assertion always passes. Name the column that holds the event time.',
  },
  'window-without-event-time': {
    code: 'LV3214',
    title: 'A window without event time',
    severity: 'warning',
    doc: 'The `window` of a continuous test counts event time. The model or source under test has none, so only the time of processing is left, and records that are read again fall into another window than at first. Declare `event_time` of the source, and hand its column on unchanged.',
  },
  'custom-sql-target': {
    code: 'LV3215',
    title: 'A query that does not look at what is under test',
    severity: 'warning',
    doc: 'The query of a `custom_sql` reads the model or source under test as `{{ model }}`; `{{ ref("name") }}` and `{{ source("name") }}` name it as well. This query reads something else, so the test says nothing of its `model`.',
  },
  'custom-sql-columns': {
    code: 'LV3216',
    title: 'Several columns compared with one value',
    severity: 'warning',
    doc: '`expect` of a `custom_sql` is one value, and the query answers several columns. Select one column, such as `COUNT(*)`, or leave `expect` out.',
  },
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
