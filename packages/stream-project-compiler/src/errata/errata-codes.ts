import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of queries whose rows a defect of the engine makes wrong, where no rewrite avoids it. */
export const errataCodes = {
  'engine-keeps-extreme': {
    code: 'LV4160',
    title: 'MIN or MAX that the engine does not take back',
    severity: 'warning',
    doc: 'The aggregate and its groups read only columns that a change of a row leaves as they are: those of the key, or of rows that are only appended. The planner then takes all its input for appended, also where rows are withdrawn, because they are deleted, an outer join finds their match, or a condition holds no longer. The value of a withdrawn row stays the result (`extremes-of-fixed-columns` of the engine errata). Where the input has another column the job reads it beside the argument, which avoids the defect. Here there is none: add one to the model that is read, such as `COUNT(*) AS n`.',
  },
  'engine-repeats-first-row': {
    code: 'LV4161',
    title: 'First row of each key that the engine never withdraws',
    severity: 'warning',
    doc: '`ROW_NUMBER() ... = 1` in an order that is neither one time column nor one column with `DESC` replaces its row when one arrives that comes before it. The planner of 2.1 to 2.3 takes the rows for appended, so that an aggregate counts replaced rows as well, a join keeps them, and a condition leaves the earlier row where the later one does not meet it (`first-rows-taken-for-appended` of the engine errata). In 2.0 this holds for MIN and MAX only. The rows themselves are right in a topic with the key of PARTITION BY. Number the rows by one column with `DESC`, such as `ORDER BY -amount DESC NULLS FIRST` for `ORDER BY amount`, or write them into a model of their own, at which the job ends, and read that.',
  },
  'engine-rounds-deviation': {
    code: 'LV4162',
    title: 'Standard deviation that is a whole number',
    severity: 'warning',
    doc: 'STDDEV_POP, STDDEV_SAMP, VAR_POP, VAR_SAMP and VARIANCE have the type of their argument. Of whole numbers the engine rounds the result down: the standard deviation of 1 and 2 is 0 (`deviations-of-whole-numbers` of the engine errata). Cast the argument to DOUBLE.',
  },
  'engine-rounds-json': {
    code: 'LV4163',
    title: 'Decimals of JSON that lose digits',
    severity: 'info',
    doc: 'Before 2.0 the engine reads decimal numbers in JSON as DOUBLE, so that JSON_VALUE and JSON_QUERY give 1.1 for 1.10 and lose digits of long numbers (`decimals-of-json` of the engine errata). Whole numbers and texts are right.',
  },
  'engine-keeps-place': {
    code: 'LV4164',
    title: 'First rows that the engine does not take back',
    severity: 'warning',
    doc: 'The rows are numbered, or limited, in an order of columns that a change of a row leaves as they are, such as those of its key, and they may be withdrawn. The planner takes such an order for one in which rows only move forward, and keeps the first rows alone: one that is deleted keeps its place, with nulls in its other columns (`first-rows-in-fixed-order` of the engine errata). Where the input has a column that changes, the job reads it beside the order, which avoids the defect. Here there is none, as in `SELECT DISTINCT`: add one to the rows that are ordered, such as `COUNT(*) AS n` with `GROUP BY`.',
  },
  'null-in-time': {
    code: 'LV4165',
    title: 'Event time that can be null',
    severity: 'warning',
    doc: 'A window, or OVER, reads rows by an event time that is declared with `NULL`, or of the side of an outer join that may have no row. A row without time is in no window. The engine ends the job at such a row, or takes its time for 1970 (`null-event-times` of the engine errata), so that the job leaves these rows out before. Declare the column without `NULL` where each row has a time, or write `WHERE ts IS NOT NULL` where the rows are read. Columns of which nothing says that they can be null are not reported.',
  },
} as const satisfies CodeTable;
