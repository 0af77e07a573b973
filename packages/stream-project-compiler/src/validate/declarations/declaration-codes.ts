import type { CatalogueEntry } from '../../diagnostics/catalogue.ts';

/** Codes of declared columns, schemas and model outputs (324x, 325x). */
export const declarationCodes = {
  LV3240: {
    name: 'duplicate-column',
    title: 'A column that is declared twice',
    severity: 'error',
    doc: 'A source, or the answer of a machine-learning model, declares two columns of one name. The engine refuses such a table. Names are case-sensitive, so `id` and `ID` are two columns.',
  },
  LV3241: {
    name: 'column-described-twice',
    title: 'A column that is described twice',
    severity: 'warning',
    doc: '`columns` of a model says what is known of its output columns, and one stands there twice. Readers see either of the two. Merge them.',
  },
  LV3242: {
    name: 'column-type',
    title: 'A declared type that the engine does not have',
    severity: 'error',
    doc: "The type of a column is one of the engine's SQL, such as `STRING`, `DECIMAL(10, 2)`, `TIMESTAMP(3)` or `ROW<a INT>`. The engine refuses a table with any other.",
  },
  LV3243: {
    name: 'event-time-column',
    title: 'An event time that no column holds',
    severity: 'error',
    doc: '`event_time.column` names a column that the source does not declare, or one that the engine computes as the time of processing; or `advanced.event_time.column` names one that the SQL of the model does not select. The engine refuses a watermark for it. Name one that comes with the records. Nothing is reported for sources without `columns`.',
  },
  LV3244: {
    name: 'event-time-type',
    title: 'An event time of a type that has no watermark',
    severity: 'error',
    doc: 'The engine takes a watermark for `TIMESTAMP(p)` and `TIMESTAMP_LTZ(p)` with at most three digits behind the second, and for nothing else: neither numbers nor text, and `TIMESTAMP` alone has six digits. Declare the column as `TIMESTAMP(3)` or `TIMESTAMP_LTZ(3)`, or convert it in the SQL of the model.',
  },
  LV3245: {
    name: 'processing-time-type',
    title: 'A type for a time of processing',
    severity: 'warning',
    doc: 'A column with `proctime: true` is computed by the engine and is a `TIMESTAMP_LTZ(3)`, whatever type is declared. The declared one is no time, so either it or `proctime` is a mistake.',
  },
  LV3246: {
    name: 'column-not-given',
    title: 'A column that the model does not have',
    severity: 'warning',
    doc: 'A model describes, classifies or masks a column that its SQL does not give, so that has no effect. Usually the name is misspelt, and the column that was meant stays without its description, class or mask. Nothing is reported where not all columns can be told.',
  },
  LV3247: {
    name: 'key-column',
    title: 'A key that is no column',
    severity: 'error',
    doc: '`key` of a model is the column that decides the partition of a record. The SQL of the model does not give it, so records have no key to be written with. Select the column, or name another one.',
  },
  LV3248: {
    name: 'freshness-order',
    title: 'A warning that comes after the error',
    severity: 'warning',
    doc: '`warn_after_seconds` of a source is above `max_lag_seconds`, so the error comes first and the warning never alone. Usually the two were swapped.',
  },
  LV3249: {
    name: 'schema-definition',
    title: 'A schema that cannot be read',
    severity: 'error',
    doc: 'Schemas of the formats `avro` and `json` are written in JSON, and `definition` is not. No registry takes it, and no reader can read records with it.',
  },
  LV3250: {
    name: 'schema-twice',
    title: 'A schema that is both written and looked up',
    severity: 'warning',
    doc: '`definition` is the schema itself, as an alternative to a registry, and `registry` names one. Which of the two holds cannot be told. Remove one of them; `subject` may stay.',
  },
  LV3251: {
    name: 'ml-output-undeclared',
    title: 'A machine-learning model whose answer is not declared',
    severity: 'warning',
    doc: "The SQL calls `ML_PREDICT` with a model of which `ml_outputs` declares no columns, so nothing is known of the columns that it adds, nor of those that are made of them. Declare them below the model's name.",
  },
  LV3252: {
    name: 'ml-output-unused',
    title: 'A declared machine-learning model that nothing calls',
    severity: 'warning',
    doc: '`ml_outputs` declares what a machine-learning model answers, and the SQL does not call a model of this name. Names are case-sensitive. Remove the entry, or correct the name.',
  },
} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
