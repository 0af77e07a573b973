import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of declared columns, schemas and model outputs (324x, 325x). */
export const declarationCodes = {
  'duplicate-column': {
    code: 'LV3240',
    title: 'Duplicate column',
    severity: 'error',
    doc: 'A source, or the output of a machine-learning model, declares two columns with the same name. The engine rejects such a table. Names are case-sensitive, so `id` and `ID` are two columns.',
  },
  'column-described-twice': {
    code: 'LV3241',
    title: 'Duplicate column description',
    severity: 'warning',
    doc: '`columns` of a model describes its output columns, and one is described twice. Merge the two.',
  },
  'column-type': {
    code: 'LV3242',
    title: 'Unknown column type',
    severity: 'error',
    doc: "The type of a column is a type of the engine's SQL, such as `STRING`, `DECIMAL(10, 2)`, `TIMESTAMP(3)` or `ROW<a INT>`. The engine rejects any other.",
  },
  'event-time-column': {
    code: 'LV3243',
    title: 'Invalid event time column',
    severity: 'error',
    doc: '`event_time.column` names a column that the source does not declare, or one that the engine computes as the processing time; or `advanced.event_time.column` names one that the SQL of the model does not select. The engine rejects a watermark for it. Use a column that is part of the records. Nothing is reported for sources without `columns`.',
  },
  'event-time-type': {
    code: 'LV3244',
    title: 'Event time of an unsupported type',
    severity: 'error',
    doc: 'The engine supports watermarks for `TIMESTAMP(p)` and `TIMESTAMP_LTZ(p)` with a precision of at most 3 only: not for numbers or text, and `TIMESTAMP` without a precision has 6. Declare the column as `TIMESTAMP(3)` or `TIMESTAMP_LTZ(3)`, or convert it in the SQL of the model.',
  },
  'processing-time-type': {
    code: 'LV3245',
    title: 'Type of a processing time column',
    severity: 'warning',
    doc: 'A column with `proctime: true` is computed by the engine and is a `TIMESTAMP_LTZ(3)`, whatever type is declared. The declared type is not a time, so either it or `proctime` is a mistake.',
  },
  'column-not-given': {
    code: 'LV3246',
    title: 'Unknown column in a model',
    severity: 'warning',
    doc: 'A model describes, classifies or masks a column that its SQL does not return, so that has no effect. Usually the name is misspelled, and the intended column has no description, classification or mask. Nothing is reported if not all columns are known.',
  },
  'key-column': {
    code: 'LV3247',
    title: 'Unknown key column',
    severity: 'error',
    doc: '`key` of a model is the column that decides the partition of a record. The SQL of the model does not return it, so its records cannot have a key. Select the column, or use another one.',
  },
  'freshness-order': {
    code: 'LV3248',
    title: 'Warning after the error',
    severity: 'warning',
    doc: '`warn_after_seconds` of a source is greater than `max_lag_seconds`, so the error always comes before the warning. Usually the two were swapped.',
  },
  'schema-definition': {
    code: 'LV3249',
    title: 'Invalid schema definition',
    severity: 'error',
    doc: 'Schemas of the formats `avro` and `json` are written in JSON, and `definition` is not valid JSON. No registry accepts it, and no consumer can decode records with it.',
  },
  'schema-twice': {
    code: 'LV3250',
    title: 'Schema with a definition and a registry',
    severity: 'warning',
    doc: '`definition` is the schema itself, and `registry` says where to look it up, so it is ambiguous which one applies. Remove one of them; `subject` can stay.',
  },
  'ml-output-undeclared': {
    code: 'LV3251',
    title: 'Undeclared machine-learning output',
    severity: 'warning',
    doc: 'The SQL calls `ML_PREDICT` with a machine-learning model that `ml_outputs` does not list, so the columns that it adds, and those derived from them, are unknown. List them in `ml_outputs` under the name of that model.',
  },
  'ml-output-unused': {
    code: 'LV3252',
    title: 'Unused machine-learning output',
    severity: 'warning',
    doc: '`ml_outputs` declares the output of a machine-learning model, and the SQL does not call a model of this name. Names are case-sensitive. Remove the entry, or correct the name.',
  },
} as const satisfies CodeTable;
