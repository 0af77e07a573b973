import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of declared columns, schemas and model outputs (324x, 325x). */
export const declarationCodes = {
  'duplicate-column': {
    code: 'LV3240',
    title: 'A column that is declared twice',
    severity: 'error',
    doc: 'A source, or the answer of a machine-learning model, declares two columns of one name. The engine refuses such a table. Names are case-sensitive, so `id` and `ID` are two columns.',
  },
  'column-described-twice': {
    code: 'LV3241',
    title: 'A column that is described twice',
    severity: 'warning',
    doc: '`columns` of a model says what is known of its output columns, and one stands there twice. Readers see either of the two. Merge them.',
  },
  'column-type': {
    code: 'LV3242',
    title: 'A declared type that the engine does not have',
    severity: 'error',
    doc: "The type of a column is one of the engine's SQL, such as `STRING`, `DECIMAL(10, 2)`, `TIMESTAMP(3)` or `ROW<a INT>`. The engine refuses a table with any other.",
  },
  'event-time-column': {
    code: 'LV3243',
    title: 'An event time that no column holds',
    severity: 'error',
    doc: '`event_time.column` names a column that the source does not declare, or one that the engine computes as the time of processing; or `advanced.event_time.column` names one that the SQL of the model does not select. The engine refuses a watermark for it. Name one that comes with the records. Nothing is reported for sources without `columns`.',
  },
  'event-time-type': {
    code: 'LV3244',
    title: 'An event time of a type that has no watermark',
    severity: 'error',
    doc: 'The engine takes a watermark for `TIMESTAMP(p)` and `TIMESTAMP_LTZ(p)` with at most three digits behind the second, and for nothing else: neither numbers nor text, and `TIMESTAMP` alone has six digits. Declare the column as `TIMESTAMP(3)` or `TIMESTAMP_LTZ(3)`, or convert it in the SQL of the model.',
  },
  'processing-time-type': {
    code: 'LV3245',
    title: 'A type for a time of processing',
    severity: 'warning',
    doc: 'A column with `proctime: true` is computed by the engine and is a `TIMESTAMP_LTZ(3)`, whatever type is declared. The declared one is no time, so either it or `proctime` is a mistake.',
  },
  'column-not-given': {
    code: 'LV3246',
    title: 'A column that the model does not have',
    severity: 'warning',
    doc: 'A model describes, classifies or masks a column that its SQL does not give, so that has no effect. Usually the name is misspelt, and the column that was meant stays without its description, class or mask. Nothing is reported where not all columns can be told.',
  },
  'key-column': {
    code: 'LV3247',
    title: 'A key that is no column',
    severity: 'error',
    doc: '`key` of a model is the column that decides the partition of a record. The SQL of the model does not give it, so records have no key to be written with. Select the column, or name another one.',
  },
  'freshness-order': {
    code: 'LV3248',
    title: 'A warning that comes after the error',
    severity: 'warning',
    doc: '`warn_after_seconds` of a source is above `max_lag_seconds`, so the error comes first and the warning never alone. Usually the two were swapped.',
  },
  'schema-definition': {
    code: 'LV3249',
    title: 'A schema that cannot be read',
    severity: 'error',
    doc: 'Schemas of the formats `avro` and `json` are written in JSON, and `definition` is not. No registry takes it, and no reader can read records with it.',
  },
  'schema-twice': {
    code: 'LV3250',
    title: 'A schema that is both written and looked up',
    severity: 'warning',
    doc: '`definition` is the schema itself, as an alternative to a registry, and `registry` names one. Which of the two holds cannot be told. Remove one of them; `subject` may stay.',
  },
  'ml-output-undeclared': {
    code: 'LV3251',
    title: 'A machine-learning model whose answer is not declared',
    severity: 'warning',
    doc: "The SQL calls `ML_PREDICT` with a model of which `ml_outputs` declares no columns, so nothing is known of the columns that it adds, nor of those that are made of them. Declare them below the model's name.",
  },
  'ml-output-unused': {
    code: 'LV3252',
    title: 'A declared machine-learning model that nothing calls',
    severity: 'warning',
    doc: '`ml_outputs` declares what a machine-learning model answers, and the SQL does not call a model of this name. Names are case-sensitive. Remove the entry, or correct the name.',
  },
} as const satisfies CodeTable;
