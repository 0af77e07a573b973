import type { CodeTable } from '../diagnostics/diagnostic.ts';
import { typeCodes } from '../types/type-codes.ts';

/** Codes of columns, their types and time (41xx). */
export const columnCodes = {
  'unknown-column': {
    code: 'LV4101',
    title: 'A column that no table has',
    severity: 'error',
    doc: 'The SQL names a column that none of its tables has, or a field that a row does not have. Names of columns are case-sensitive. Nothing is said about tables whose columns are not all known. A name of the select list may be used in ORDER BY only. It is a warning where no type of any of the columns is known, because the project says nothing about the data there.',
  },
  'unknown-table-alias': {
    code: 'LV4102',
    title: 'A table that FROM does not have',
    severity: 'error',
    doc: 'The part before the dot is neither a table of FROM, nor its alias, nor a column with fields. Where a table has an alias, only the alias stands for it.',
  },
  'ambiguous-column': {
    code: 'LV4103',
    title: 'A column that several tables have',
    severity: 'error',
    doc: 'More than one table of FROM has a column of this name, so that the engine refuses to choose. Write the table or its alias and a dot before it.',
  },
  'duplicate-alias': {
    code: 'LV4104',
    title: 'Two tables of FROM with one name',
    severity: 'error',
    doc: 'Two tables of one FROM have the same alias, or are the same table without one. Give each its own with AS.',
  },
  'column-count': {
    code: 'LV4105',
    title: 'Names for another number of columns',
    severity: 'error',
    doc: 'A list of names behind a table, as in `AS t (a, b)`, or behind a common table, as in `WITH t (a, b) AS`, has one name for each column.',
  },
  'set-operation-columns': {
    code: 'LV4106',
    title: 'Operands with different numbers of columns',
    severity: 'error',
    doc: 'UNION, INTERSECT and EXCEPT put rows of the same shape together: each operand has as many columns as the first one.',
  },
  'not-grouped': {
    code: 'LV4107',
    title: 'A column that is neither grouped nor aggregated',
    severity: 'error',
    doc: 'In a SELECT with GROUP BY or aggregate functions each column is one by which rows are grouped, or stands within an aggregate function. GROUP BY takes expressions: neither names of the select list nor numbers of its columns.',
  },
  'null-column': {
    code: 'LV4108',
    title: 'A column that is NULL without a type',
    severity: 'error',
    doc: 'A column of the result is the word NULL alone, which has no type: the engine refuses to write it. CAST gives it one.',
  },
  'repeated-column-name': {
    code: 'LV4109',
    title: 'Two columns of the result with one name',
    severity: 'warning',
    doc: 'Two columns of the result have the same name, often because `*` is selected from a join. The engine adds a number to the later one, so that `id` becomes `id0`. In a query that is read by another one it does so for columns of `*` only; others are ambiguous there.',
  },
  'window-type': {
    code: 'LV4130',
    title: 'A window over a column that is no time',
    severity: 'error',
    doc: 'A window takes a time attribute, which is of type TIMESTAMP or TIMESTAMP_LTZ. A column of another type can be made one in the source: name it in `event_time.column` there with a type of time.',
  },
  'window-without-time-attribute': {
    code: 'LV4131',
    title: 'A window over a time that is not a time attribute',
    severity: 'error',
    doc: 'The engine refuses a window over a column that is not a time attribute, even when it is a timestamp. A column is one where a source names it in `event_time.column`, or a model in `advanced.event_time.column`, and stays one while it is handed on as it is: not through CAST, arithmetic, COALESCE, aggregates, DISTINCT, regular joins, UNNEST, IN and EXISTS. It is a warning where the type of the column is not known.',
  },
  'temporal-join-without-time-attribute': {
    code: 'LV4132',
    title: 'A temporal join without the times that it takes',
    severity: 'error',
    doc: '`FOR SYSTEM_TIME AS OF` takes a time attribute of the left side, and a right side that has event time of its own. Both are timestamps of one kind. A column is a time attribute where a source names it in `event_time.column` or a model in `advanced.event_time.column`. The engine refuses the join otherwise. It is a warning where the type of the column is not known.',
  },
  'temporal-join-on-processing-time': {
    code: 'LV4133',
    title: 'A temporal join as of the time of processing',
    severity: 'error',
    doc: 'The engine joins versions of a topic as of an event time only: with a column of processing time behind `FOR SYSTEM_TIME AS OF` it refuses the query.',
  },
  'window-grouping': {
    code: 'LV4134',
    title: 'Groups over windows that leave out the window',
    severity: 'warning',
    doc: 'Rows of TUMBLE, HOP, CUMULATE and SESSION are grouped by both `window_start` and `window_end`. Without one of them the engine sees an ordinary GROUP BY: each result is updated again and again, and the state of all groups is kept for ever.',
  },
  'window-call': {
    code: 'LV4135',
    title: 'A call that belongs to no window of GROUP BY',
    severity: 'error',
    doc: '`TUMBLE_START`, `TUMBLE_END` and `TUMBLE_ROWTIME`, and the same of HOP and SESSION, say something about the window of GROUP BY. It is found by its arguments, which must be exactly the same.',
  },
  'window-size': {
    code: 'LV4136',
    title: 'A window whose size is not a multiple of its step',
    severity: 'error',
    doc: 'The size of HOP is a multiple of its slide, and that of CUMULATE a multiple of its step. The engine refuses to group by other windows.',
  },
  'over-window': {
    code: 'LV4137',
    title: 'An OVER window that does not run on streams',
    severity: 'error',
    doc: 'Aggregates with OVER are computed in ascending order of time, up to the current row, and all aggregates of one SELECT over the same window. ROW_NUMBER may be ordered otherwise, with a filter by it in a query around, or in QUALIFY.',
  },
  'order-without-time': {
    code: 'LV4138',
    title: 'A stream in an order other than that of time',
    severity: 'error',
    doc: 'A stream has no end, so its rows can be put in no order but the ascending one of their time attribute. With LIMIT the first rows of any order are kept up to date.',
  },
  'match-pattern': {
    code: 'LV4139',
    title: 'A pattern that the engine does not look for',
    severity: 'error',
    doc: 'The last part of a pattern in MATCH_RECOGNIZE is repeated as often as possible, so a match would never be complete. Add a part behind it, or make the repetition reluctant. The rows are in ascending order of a time attribute, and each match gives one row.',
  },
  'interval-precision': {
    code: 'LV4140',
    title: 'An interval with more digits than its unit takes',
    severity: 'error',
    doc: "A unit of an interval takes two digits unless it says more: `INTERVAL '120' MINUTE` is refused, `INTERVAL '120' MINUTE(3)` is not. Seconds take three at most; longer times are written as `DAY TO SECOND`.",
  },
  'unnamed-column': {
    code: 'LV4141',
    title: 'A column of the result without a name',
    severity: 'info',
    doc: 'An expression has no name of its own, so the engine calls it by its place, as `EXPR$2`. The name changes when a column is added before it, and so do the records.',
  },
  'aggregate-in-where': {
    code: 'LV4142',
    title: 'An aggregate function in WHERE',
    severity: 'error',
    doc: 'WHERE decides about single rows, before they are grouped. A condition on SUM, COUNT and the like stands in HAVING.',
  },
  'duplicate-table-column': {
    code: 'LV4143',
    title: 'Two columns of a table with one name',
    severity: 'error',
    doc: 'A common table has one column of each name, and so has a list of names behind a table: the engine refuses others even where nobody reads the column. Columns of `*` are numbered by the engine, as `id0`, those that are named are not.',
  },
  'join-condition': {
    code: 'LV4144',
    title: 'A join that lacks its condition, or that cannot be run',
    severity: 'error',
    doc: 'JOIN, LEFT JOIN, RIGHT JOIN and FULL JOIN have ON or USING, CROSS JOIN has neither. What is read for each row of the left side, by UNNEST or as of its time, can be joined by JOIN and LEFT JOIN only.',
  },
  'aggregate-place': {
    code: 'LV4145',
    title: 'An aggregate function where none can stand',
    severity: 'error',
    doc: 'Aggregate functions take values of single rows, so they stand neither within each other nor in GROUP BY. Functions with OVER are computed behind WHERE and GROUP BY. FILTER, DISTINCT and OVER belong to aggregate functions.',
  },
  'offset-without-limit': {
    code: 'LV4146',
    title: 'An OFFSET without LIMIT',
    severity: 'error',
    doc: 'A stream has no end, so that all rows but the first ones cannot be kept in order. With LIMIT they can.',
  },
  'window-arguments': {
    code: 'LV4147',
    title: 'A window with other arguments than it takes',
    severity: 'error',
    doc: 'TUMBLE, HOP, CUMULATE and SESSION in FROM take a table, the DESCRIPTOR of its time, and lengths of time: intervals longer than 0, of days or less. Only SESSION takes PARTITION BY.',
  },
  'model-name-quotes': {
    code: 'LV4180',
    title: 'A machine-learning model that is named without quotes',
    severity: 'error',
    doc: "`ML_PREDICT` and `ML_EVALUATE` take the name of the machine-learning model as text: `ML_PREDICT('fraud', amount)`. Without quotes it is the name of a column, and no table has one of that name.",
  },
  'later-version': {
    code: 'LV4181',
    title: 'SQL that only a later version of the engine takes',
    severity: 'error',
    doc: 'The cluster that the model runs on says its `version`, and that version refuses the query. Write it in another way, or correct the version. Without `version` SQL is checked against the newest version that is known.',
  },
  'event-time-lost': {
    code: 'LV4182',
    title: 'A CAST that takes the event time from a column',
    severity: 'error',
    doc: 'A time attribute is a plain value after CAST, even one to its own type, and the engine refuses windows and temporal joins that read it. It is reported once, at the CAST, whatever the number of readers. Select the column as it is, or name it in `advanced.event_time.column` of the model that casts it, so that its topic has a watermark of its own.',
  },
  'temporal-join-key': {
    code: 'LV4183',
    title: 'A temporal join that does not compare the key',
    severity: 'error',
    doc: 'A temporal join looks up the version of one key, so its condition compares the `key` of the model on the right side with `=`. The engine refuses the join otherwise.',
  },
} as const satisfies CodeTable;

/** Codes of what is wrong with the columns and types of SQL. */
export const mistakeCodes = { ...columnCodes, ...typeCodes } as const;
