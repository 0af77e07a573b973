import type { CatalogueEntry } from '../diagnostics/catalogue.ts';

/** Codes of columns, their types and time (41xx). */
export const columnCodes = {
  LV4101: {
    name: 'unknown-column',
    title: 'A column that no table has',
    severity: 'error',
    doc: 'The SQL names a column that none of its tables has, or a field that a row does not have. Names of columns are case-sensitive. Nothing is said about tables whose columns are not all known. A name of the select list may be used in ORDER BY only. It is a warning where no type of any of the columns is known, because the project says nothing about the data there.',
  },
  LV4102: {
    name: 'unknown-table-alias',
    title: 'A table that FROM does not have',
    severity: 'error',
    doc: 'The part before the dot is neither a table of FROM, nor its alias, nor a column with fields. Where a table has an alias, only the alias stands for it.',
  },
  LV4103: {
    name: 'ambiguous-column',
    title: 'A column that several tables have',
    severity: 'error',
    doc: 'More than one table of FROM has a column of this name, so that the engine refuses to choose. Write the table or its alias and a dot before it.',
  },
  LV4104: {
    name: 'duplicate-alias',
    title: 'Two tables of FROM with one name',
    severity: 'error',
    doc: 'Two tables of one FROM have the same alias, or are the same table without one. Give each its own with AS.',
  },
  LV4105: {
    name: 'column-count',
    title: 'Names for another number of columns',
    severity: 'error',
    doc: 'A list of names behind a table, as in `AS t (a, b)`, or behind a common table, as in `WITH t (a, b) AS`, has one name for each column.',
  },
  LV4106: {
    name: 'set-operation-columns',
    title: 'Operands with different numbers of columns',
    severity: 'error',
    doc: 'UNION, INTERSECT and EXCEPT put rows of the same shape together: each operand has as many columns as the first one.',
  },
  LV4107: {
    name: 'not-grouped',
    title: 'A column that is neither grouped nor aggregated',
    severity: 'error',
    doc: 'In a SELECT with GROUP BY or aggregate functions each column is one by which rows are grouped, or stands within an aggregate function. GROUP BY takes expressions: neither names of the select list nor numbers of its columns.',
  },
  LV4108: {
    name: 'null-column',
    title: 'A column that is NULL without a type',
    severity: 'error',
    doc: 'A column of the result is the word NULL alone, which has no type: the engine refuses to write it. CAST gives it one.',
  },
  LV4109: {
    name: 'repeated-column-name',
    title: 'Two columns of the result with one name',
    severity: 'warning',
    doc: 'Two columns of the result have the same name, often because `*` is selected from a join. The engine adds a number to the later one, so that `id` becomes `id0`. In a query that is read by another one the name is ambiguous.',
  },
  LV4130: {
    name: 'window-type',
    title: 'A window over a column that is no time',
    severity: 'error',
    doc: 'A window takes a time attribute, which is of type TIMESTAMP or TIMESTAMP_LTZ. A column of another type can be made one in the source: name it in `event_time.column` there with a type of time.',
  },
  LV4131: {
    name: 'window-without-time-attribute',
    title: 'A window over a time that is no time attribute',
    severity: 'warning',
    doc: 'The engine refuses a window over a column that is not a time attribute, even when it is a timestamp. A column is one where a source names it in `event_time.column`, or a model in `advanced.event_time.column`, and stays one while it is handed on as it is: not through CAST, arithmetic, COALESCE, aggregates, DISTINCT, regular joins, UNNEST, IN and EXISTS.',
  },
  LV4132: {
    name: 'temporal-join-without-time-attribute',
    title: 'A temporal join without the times that it takes',
    severity: 'warning',
    doc: '`FOR SYSTEM_TIME AS OF` takes a time attribute of the left side, and a right side that has event time of its own. Both are timestamps of one kind. A column is a time attribute where a source names it in `event_time.column` or a model in `advanced.event_time.column`. The engine refuses the join otherwise.',
  },
  LV4133: {
    name: 'temporal-join-on-processing-time',
    title: 'A temporal join as of the time of processing',
    severity: 'warning',
    doc: 'The engine joins versions of a topic as of an event time only: with a column of processing time behind `FOR SYSTEM_TIME AS OF` it refuses the query.',
  },
  LV4134: {
    name: 'window-grouping',
    title: 'Groups over windows that leave out the window',
    severity: 'warning',
    doc: 'Rows of TUMBLE, HOP, CUMULATE and SESSION are grouped by both `window_start` and `window_end`. Without one of them the engine sees an ordinary GROUP BY: each result is updated again and again, and the state of all groups is kept for ever.',
  },
  LV4135: {
    name: 'window-call',
    title: 'A call that belongs to no window of GROUP BY',
    severity: 'error',
    doc: '`TUMBLE_START`, `TUMBLE_END` and `TUMBLE_ROWTIME`, and the same of HOP and SESSION, say something about the window of GROUP BY. It is found by its arguments, which must be exactly the same.',
  },
  LV4136: {
    name: 'window-size',
    title: 'A window whose size is no multiple of its step',
    severity: 'error',
    doc: 'The size of HOP is a multiple of its slide, and that of CUMULATE a multiple of its step. The engine refuses other sizes.',
  },
  LV4137: {
    name: 'over-window',
    title: 'An OVER window that does not run on streams',
    severity: 'error',
    doc: 'Aggregates with OVER are computed in ascending order of time, and all aggregates of one SELECT over the same window. ROW_NUMBER and RANK may be ordered otherwise, with a filter by rank in a query around them.',
  },
  LV4138: {
    name: 'order-without-time',
    title: 'A stream in an order other than that of time',
    severity: 'error',
    doc: 'A stream has no end, so its rows can be put in no order but the ascending one of their time attribute. With LIMIT the first rows of any order are kept up to date.',
  },
  LV4139: {
    name: 'match-pattern',
    title: 'A pattern that ends in a greedy repetition',
    severity: 'error',
    doc: 'The last part of a pattern in MATCH_RECOGNIZE is repeated as often as possible, so a match would never be complete. Add a part behind it, or make the repetition reluctant.',
  },
  LV4140: {
    name: 'interval-precision',
    title: 'An interval with more digits than its unit takes',
    severity: 'error',
    doc: "A unit of an interval takes two digits unless it says more: `INTERVAL '120' MINUTE` is refused, `INTERVAL '120' MINUTE(3)` is not. Seconds take three at most; longer times are written as `DAY TO SECOND`.",
  },
  LV4141: {
    name: 'unnamed-column',
    title: 'A column of the result without a name',
    severity: 'info',
    doc: 'An expression has no name of its own, so the engine calls it by its place, as `EXPR$2`. The name changes when a column is added before it, and so do the records.',
  },
  LV4142: {
    name: 'aggregate-in-where',
    title: 'An aggregate function in WHERE',
    severity: 'error',
    doc: 'WHERE decides about single rows, before they are grouped. A condition on SUM, COUNT and the like stands in HAVING.',
  },
} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
