import type { CodeTable } from '../diagnostics/diagnostic.ts';
import { typeCodes } from '../types/type-codes.ts';

/** Codes of columns, their types and time (41xx). */
export const columnCodes = {
  'unknown-column': {
    code: 'LV4101',
    title: 'Unknown column',
    severity: 'error',
    doc: 'The SQL names a column that none of its tables has, or a field that a row does not have. Names of columns are case-sensitive. Nothing is reported for tables whose columns are not all known. A name of the select list may be used in ORDER BY only. It is only a warning if none of the column types is known, because the project does not describe the data there.',
  },
  'unknown-table-alias': {
    code: 'LV4102',
    title: 'Unknown table in FROM',
    severity: 'error',
    doc: 'The part before the dot is neither a table of FROM, nor its alias, nor a column with fields. If a table has an alias, it can only be used by the alias.',
  },
  'ambiguous-column': {
    code: 'LV4103',
    title: 'Ambiguous column',
    severity: 'error',
    doc: 'More than one table of FROM has a column of this name, so the reference is ambiguous. Qualify it with the table or its alias.',
  },
  'duplicate-alias': {
    code: 'LV4104',
    title: 'Duplicate table name in FROM',
    severity: 'error',
    doc: 'Two tables of one FROM have the same alias, or are the same table without one. Give each a different alias with AS.',
  },
  'column-count': {
    code: 'LV4105',
    title: 'Wrong number of column names',
    severity: 'error',
    doc: 'A list of names after a table, as in `AS t (a, b)`, or after a common table, as in `WITH t (a, b) AS`, has one name for each column.',
  },
  'set-operation-columns': {
    code: 'LV4106',
    title: 'Operands with different numbers of columns',
    severity: 'error',
    doc: 'UNION, INTERSECT and EXCEPT combine rows of the same shape: each operand has as many columns as the first one.',
  },
  'not-grouped': {
    code: 'LV4107',
    title: 'Column neither grouped nor aggregated',
    severity: 'error',
    doc: 'In a SELECT with GROUP BY or aggregate functions each column is one by which rows are grouped, or is in an aggregate function. GROUP BY takes expressions: neither names of the select list nor numbers of its columns.',
  },
  'null-column': {
    code: 'LV4108',
    title: 'NULL column without a type',
    severity: 'error',
    doc: 'A column of the result is the word NULL alone, which has no type: the engine cannot write it. Use CAST.',
  },
  'repeated-column-name': {
    code: 'LV4109',
    title: 'Duplicate column name in the result',
    severity: 'warning',
    doc: 'Two columns of the result have the same name, often because `*` is selected from a join. The engine adds a number to the later one, so that `id` becomes `id0`. In a subquery it does so only for columns of `*`; others are ambiguous there.',
  },
  'window-type': {
    code: 'LV4130',
    title: 'Window over a column that is not a time',
    severity: 'error',
    doc: 'A window needs an event time column (a time attribute), whose type is TIMESTAMP or TIMESTAMP_LTZ. Declare the column with such a type in the source, and name it in `event_time.column`.',
  },
  'window-without-time-attribute': {
    code: 'LV4131',
    title: 'Window over a column that is not a time attribute',
    severity: 'error',
    doc: 'The engine rejects a window over a column that is not a time attribute, even when it is a timestamp. A column is a time attribute if a source names it in `event_time.column`, or a model in `advanced.event_time.column`. It remains one as long as queries select it unchanged. It is a plain value after CAST, arithmetic, COALESCE, aggregates, DISTINCT, regular joins, UNNEST, IN and EXISTS. It is only a warning if the type of the column is not known.',
  },
  'temporal-join-without-time-attribute': {
    code: 'LV4132',
    title: 'Temporal join without time attributes',
    severity: 'error',
    doc: 'A join with `FOR SYSTEM_TIME AS OF` needs event time on both sides: the column after `AS OF` is the event time column (the time attribute) of the left side, and the right side has an event time of its own, of the same timestamp type. A column is the event time where a source names it in `event_time.column`, or a model in `advanced.event_time.column`. The engine rejects other joins. This is only a warning if the type of the column is not known.',
  },
  'temporal-join-on-processing-time': {
    code: 'LV4133',
    title: 'Temporal join as of processing time',
    severity: 'error',
    doc: 'The engine joins versions of a topic as of an event time only: with a processing time column after `FOR SYSTEM_TIME AS OF` it rejects the query.',
  },
  'window-grouping': {
    code: 'LV4134',
    title: 'Grouping of windowed rows without the window',
    severity: 'warning',
    doc: 'Rows of TUMBLE, HOP, CUMULATE and SESSION are grouped by both `window_start` and `window_end`. Without one of them the engine sees an ordinary GROUP BY: each result is updated again and again, and the state of all groups is kept forever.',
  },
  'window-call': {
    code: 'LV4135',
    title: 'Call without a matching window in GROUP BY',
    severity: 'error',
    doc: '`TUMBLE_START`, `TUMBLE_END` and `TUMBLE_ROWTIME`, and the same functions of HOP and SESSION, return a bound of the window of GROUP BY. It is identified by its arguments, which must be exactly the same.',
  },
  'window-size': {
    code: 'LV4136',
    title: 'Window size that is not a multiple of its step',
    severity: 'error',
    doc: 'The size of HOP is a multiple of its slide, and that of CUMULATE a multiple of its step. The engine rejects other windows.',
  },
  'over-window': {
    code: 'LV4137',
    title: 'OVER window not supported on streams',
    severity: 'error',
    doc: 'Aggregates with OVER are computed in ascending order of time, up to the current row, and all aggregates of one SELECT over the same window. ROW_NUMBER may be ordered otherwise, with a filter by it in a query around, or in QUALIFY. ROW_NUMBER, RANK, DENSE_RANK and LAG take no ROWS or RANGE.',
  },
  'order-without-time': {
    code: 'LV4138',
    title: 'Stream not ordered by time',
    severity: 'error',
    doc: 'A stream has no end, so its rows can only be ordered by their ascending time attribute. With LIMIT the first rows of any order are kept up to date.',
  },
  'match-pattern': {
    code: 'LV4139',
    title: 'Unsupported pattern',
    severity: 'error',
    doc: 'In `MATCH_RECOGNIZE`, a pattern may not end with a repetition that takes as many rows as it can, such as `B+`, because the match would never end. Add a variable after it, or take as few rows as possible by a `?` after the repetition, such as `B+?`. `ORDER BY` starts with an event time column, ascending, and the output is `ONE ROW PER MATCH`.',
  },
  'interval-precision': {
    code: 'LV4140',
    title: 'Interval with too many digits',
    severity: 'error',
    doc: "A unit of an interval takes two digits unless it says more: `INTERVAL '120' MINUTE` is refused, `INTERVAL '120' MINUTE(3)` is not. Seconds take three at most; longer times are written as `DAY TO SECOND`.",
  },
  'unnamed-column': {
    code: 'LV4141',
    title: 'Result column without a name',
    severity: 'info',
    doc: 'An expression has no name of its own, so the engine derives one from its position, as `EXPR$2`. The name changes when a column is added before it, and so do the records.',
  },
  'aggregate-in-where': {
    code: 'LV4142',
    title: 'Aggregate function in WHERE',
    severity: 'error',
    doc: 'WHERE decides about single rows, before they are grouped. A condition on SUM, COUNT and the like belongs in HAVING.',
  },
  'duplicate-table-column': {
    code: 'LV4143',
    title: 'Duplicate column in a table',
    severity: 'error',
    doc: 'A common table has one column of each name, and so has a list of names after a table: the engine rejects duplicates even if nothing reads the column. Columns of `*` are numbered by the engine, as `id0`, those that are named are not.',
  },
  'join-condition': {
    code: 'LV4144',
    title: 'Join without a condition, or unsupported join',
    severity: 'error',
    doc: 'JOIN, LEFT JOIN, RIGHT JOIN and FULL JOIN have ON or USING, CROSS JOIN has neither. What is read for each row of the left side, by UNNEST or as of its time, can be joined by JOIN and LEFT JOIN only.',
  },
  'aggregate-place': {
    code: 'LV4145',
    title: 'Misplaced aggregate function',
    severity: 'error',
    doc: 'Aggregate functions take values of single rows, so they can be neither nested nor in GROUP BY. Functions with OVER are computed after WHERE and GROUP BY. FILTER, DISTINCT and OVER belong to aggregate functions.',
  },
  'offset-without-limit': {
    code: 'LV4146',
    title: 'OFFSET without LIMIT',
    severity: 'error',
    doc: 'A stream has no end, so that all rows but the first ones cannot be kept in order. With LIMIT they can.',
  },
  'window-arguments': {
    code: 'LV4147',
    title: 'Invalid window arguments',
    severity: 'error',
    doc: 'TUMBLE, HOP, CUMULATE and SESSION in FROM take a table, the DESCRIPTOR of its time, and lengths of time: intervals longer than 0, of days or less. Only SESSION takes PARTITION BY.',
  },
  'model-name-quotes': {
    code: 'LV4180',
    title: 'Machine-learning model without quotes',
    severity: 'error',
    doc: "`ML_PREDICT` and `ML_EVALUATE` take the name of the machine-learning model as text: `ML_PREDICT('fraud', amount)`. Without quotes it is the name of a column, and no table has one of that name.",
  },
  'later-version': {
    code: 'LV4181',
    title: 'SQL of a later engine version',
    severity: 'error',
    doc: 'The cluster of the model has a `version`, and that version rejects the query. Write it in another way, or correct the version. Without `version` SQL is checked against the newest version that is known.',
  },
  'event-time-lost': {
    code: 'LV4182',
    title: 'CAST that removes the event time of a column',
    severity: 'error',
    doc: 'After CAST, even to its own type, an event time column (a time attribute) is a plain value. The engine rejects windows and temporal joins that use it. The CAST is reported once, however many of them there are. Select the column without CAST, or name it in `advanced.event_time.column` of the model that casts it, so that its topic has a watermark of its own.',
  },
  'temporal-join-key': {
    code: 'LV4183',
    title: 'Temporal join that does not compare the key',
    severity: 'error',
    doc: 'A temporal join looks up the version of one key, so its condition compares every column of the `key` of the source or model on the right side with `=`. The engine rejects other joins.',
  },
  'computed-column': {
    code: 'LV4195',
    title: 'Invalid computed column',
    severity: 'error',
    doc: 'A column of a source with `expression` is computed for each record from columns that are read: one expression of SQL, without queries, aggregates, OVER and other computed columns, as in `CREATE TABLE`. Its type is that of the expression, so the columns that it names need a `type`. The engine rejects other tables. Compute the rest in the SQL of a model.',
  },
  'deleted-version': {
    code: 'LV4200',
    title: 'Versions of rows that are deleted',
    severity: 'warning',
    doc: 'A temporal join reads versions of a source with `changelog: upsert` or `debezium`, or of a model that withdraws rows, such as the latest rows `WHERE rn = 1 AND __deleted = FALSE`. The engine deletes a row with the content that it had, its time included: a deletion at 10:30 of a row that has the time 10:00 ends the version at 10:00, and a row of the left side at 10:15 finds none. Updates have times of their own and are joined as expected. Where rows are deleted, read them as a topic of rows with a `__deleted` column and a time, keep these columns in models, and test the column after the join. Where none ever is, disable this code at the join.',
  },
  'append-only-input': {
    code: 'LV4184',
    title: 'Changing rows where only new ones are taken',
    severity: 'error',
    doc: 'Interval joins, window joins, OVER, MATCH_RECOGNIZE and ORDER BY by time take rows that are only appended. The rows here are replaced or withdrawn later, for the reason that the message names, and the engine rejects the query. Apply the operator before that, or use a window, whose rows are written once.',
  },
} as const satisfies CodeTable;

/** Codes of what is wrong with the columns and types of SQL. */
export const mistakeCodes = { ...columnCodes, ...typeCodes } as const;
