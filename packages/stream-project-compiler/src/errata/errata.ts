/** What is done about a defect: the job is written so that it does not occur, a finding names it, or nothing in a query shows it. */
export type ErratumTreatment = 'rewritten' | 'reported' | 'listed';

/** A defect of the engine that makes rows wrong without an error. */
export interface Erratum {
  /** Stable, as anchors of the reference are made of it. */
  readonly id: string;
  /** Its number in the tracker of the engine, where it has one. */
  readonly tracker?: string;
  /** What a query looks like in which it occurs. */
  readonly when: string;
  /** The first version that has it; undefined for all that jobs are written for. */
  readonly since?: string;
  /** The first version without it; undefined where no release is. */
  readonly until?: string;
  /** What is wrong then. */
  readonly consequence: string;
  readonly treatment: ErratumTreatment;
  /** What the job writes instead, or what to write in the query. */
  readonly instead: string;
  /** The codes that report it where it is not avoided. */
  readonly codes?: readonly string[];
  /** Where it is described. */
  readonly link?: string;
}

const pulls = 'https://github.com/apache/flink/pull';

/** Defects of the engine, each seen in rows or in the source of the versions that it names. */
export const errata: readonly Erratum[] = [
  {
    id: 'extremes-of-fixed-columns',
    when: 'MIN or MAX whose groups and arguments read only columns that changes leave as they are, over rows that may be withdrawn: keys of a compacted topic, columns beside an outer join, or any of them under a condition',
    consequence:
      'The planner takes the rows for appended and plans MIN in place of MIN_RETRACT. The value of a row that was deleted stays the result.',
    treatment: 'rewritten',
    instead:
      'The job adds `FILTER (WHERE IF(other IS NULL, TRUE, TRUE))`, which reads a column that changes and is true for every row. Where no such column is read, LV4160 says so.',
    codes: ['LV4160'],
  },
  {
    id: 'first-rows-in-fixed-order',
    when: '`ROW_NUMBER() ... <= n`, or ORDER BY with LIMIT, in an order of columns that changes leave as they are, or of COUNT, over rows that may be withdrawn: top N by the key of a compacted topic, or by the number of its rows in each group',
    consequence:
      'The planner takes the order for one in which rows only move forward, and keeps the first rows alone. A row that was deleted keeps its place, with nulls, and so does a group whose count falls below that of one after the first rows.',
    treatment: 'rewritten',
    instead:
      'The job orders by `IF(other IS NULL, x, x)`, which is `x` and reads a column that changes. Where no such column is read, LV4164 says so.',
    codes: ['LV4164'],
  },
  {
    id: 'first-rows-taken-for-appended',
    tracker: 'FLINK-40368',
    when: '`ROW_NUMBER() ... = 1` ordered by several columns or by one ascending column that is no time, read by an aggregate, a join, a condition, DISTINCT or a set operation',
    since: '2.1',
    consequence:
      'The planner takes the first rows for appended. Rows that were replaced are counted, joined and kept as well.',
    treatment: 'reported',
    instead:
      'Order by one column with DESC, such as `-x DESC NULLS FIRST` for `x`, or write the first rows into a model of their own. The job ends there, and readers get the rows from its topic.',
    codes: ['LV4161'],
    link: `${pulls}/28980`,
  },
  {
    id: 'extremes-of-first-rows',
    tracker: 'FLINK-39966',
    when: 'MIN or MAX of such first rows',
    since: '2.0',
    consequence: 'The result is that of all rows that were first once.',
    treatment: 'reported',
    instead: 'As above.',
    codes: ['LV4161'],
    link: `${pulls}/28505`,
  },
  {
    id: 'join-conditions-without-updates-before',
    tracker: 'FLINK-38579',
    when: 'A join of rows that change whose condition compares more than equal columns, written by a key that the planner finds in the query',
    consequence:
      'The planner leaves out the rows before each change. A row stays in the topic although its condition holds no longer.',
    treatment: 'rewritten',
    instead:
      'The job writes the key as `IF(key IS NULL, key, key)`, so that the planner does not find it and hands on all changes. The sink keeps its rows in state.',
    link: `${pulls}/28090`,
  },
  {
    id: 'matches-counted-twice',
    tracker: 'FLINK-40681',
    when: 'LEFT, RIGHT or FULL JOIN, IN, EXISTS or their negation with rows that change, written by a key that the planner finds in the query. In 1.20 not where only the key of the other side is read',
    consequence:
      'A match that is replaced counts twice. When it is deleted, the row without a match does not come back, and its key is missing from the topic.',
    treatment: 'rewritten',
    instead: 'As above.',
    link: `${pulls}/29264`,
  },
  {
    id: 'null-event-times',
    when: 'Windows, or OVER, by an event time that may be null',
    consequence:
      'An aggregate over TUMBLE, HOP, CUMULATE or SESSION as table functions ends the job at the first row without time, and again after every restart: "RowTime field should not be null". GROUP BY TUMBLE(...) and OVER take the time for 1970, so that the watermark decides whether the row counts.',
    treatment: 'rewritten',
    instead:
      'The job leaves such rows out: `TUMBLE((SELECT * FROM x WHERE ts IS NOT NULL), ...)`, or `WHERE ts IS NOT NULL`. Where the SQL or the declaration makes the nulls, LV4165 says so.',
    codes: ['LV4165'],
  },
  {
    id: 'deviations-of-whole-numbers',
    when: 'STDDEV_POP, STDDEV_SAMP, VAR_POP, VAR_SAMP or VARIANCE of a column of whole numbers',
    consequence: 'The result is a whole number: the standard deviation of 1 and 2 is 0.',
    treatment: 'reported',
    instead: 'Write `STDDEV_POP(CAST(x AS DOUBLE))`.',
    codes: ['LV4162'],
  },
  {
    id: 'unix-timestamp-of-no-time',
    when: 'UNIX_TIMESTAMP of a text',
    consequence: 'For a text that is no time the result is -9223372036854775808, and not null.',
    treatment: 'rewritten',
    instead: 'The job writes `NULLIF(UNIX_TIMESTAMP(x), -9223372036854775807 - 1)`.',
  },
  {
    id: 'try-cast-to-narrow-numbers',
    when: 'TRY_CAST of a column of whole numbers to a narrower type of whole numbers',
    consequence:
      'A number that does not fit is cut to its lower bits, and not null: 2147483647 as SMALLINT is -1.',
    treatment: 'rewritten',
    instead: 'The job writes `TRY_CAST(CAST(x AS STRING) AS SMALLINT)`.',
  },
  {
    id: 'days-before-1970',
    when: 'CAST of a column of type TIMESTAMP to DATE',
    consequence: 'A time before 1970 that is not midnight is cast to the following day.',
    treatment: 'rewritten',
    instead: 'The job writes `CAST(FLOOR(x TO DAY) AS DATE)`.',
  },
  {
    id: 'decimals-of-json',
    tracker: 'FLINK-35696',
    when: 'JSON_VALUE or JSON_QUERY of a decimal number',
    until: '2.0',
    consequence:
      'The number is read as DOUBLE and loses digits: 1234567890.12345678901 becomes 1.2345678901234567E9.',
    treatment: 'reported',
    instead: 'Write such numbers as texts, or run the model on 2.0 or newer.',
    codes: ['LV4163'],
    link: `${pulls}/25026`,
  },
  {
    id: 'last-value-of-nulls',
    tracker: 'FLINK-26764',
    when: 'FIRST_VALUE or LAST_VALUE of a column that may be null',
    consequence: 'Nulls are passed over: the result is the first or last value that is not null.',
    treatment: 'listed',
    instead: 'Number the rows with ROW_NUMBER where a null counts.',
    link: `${pulls}/19884`,
  },
  {
    id: 'sums-beyond-their-type',
    when: 'SUM of a column of whole numbers',
    consequence: 'The sum has the type of the column and starts over beyond its range.',
    treatment: 'listed',
    instead: 'Write `SUM(CAST(x AS BIGINT))`.',
  },
  {
    id: 'long-differences',
    when: 'TIMESTAMPDIFF of more than 2147483647 units, 68 years of seconds',
    consequence: 'The result is an INT and starts over beyond its range.',
    treatment: 'listed',
    instead: 'Count in a longer unit.',
  },
  {
    id: 'days-that-are-none',
    when: 'TO_TIMESTAMP or CAST to TIMESTAMP of a text such as 2024-02-30',
    consequence: 'The result is the last day of the month, and not null as that of TO_DATE.',
    treatment: 'listed',
    instead: 'Test the text with TO_DATE.',
  },
];
