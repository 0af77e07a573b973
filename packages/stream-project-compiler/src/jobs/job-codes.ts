import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of what is found when jobs are written (5xxx). */
export const jobCodes = {
  'job-not-written': {
    code: 'LV5001',
    title: 'Model without a job',
    severity: 'warning',
    doc: 'The SQL of the model may be right, but no job is written for it, because a job with it would be refused by the engine or could do something else than it says. The message names what is missing, most often the columns of a source: with `SELECT *` and other rows than those of one table the job has to know all of them. Rows that change need a key by which they are found again, which neither a mask nor a function such as `CURRENT_TIMESTAMP` may make impossible.',
  },
  'job-without-cluster': {
    code: 'LV5002',
    title: 'Jobs without an engine',
    severity: 'warning',
    doc: 'Models with SQL become jobs of the engine, also those that only filter. The jobs are written, but the project names no cluster of `runtime.engine.clusters` that runs them.',
  },
  'job-assumed-types': {
    code: 'LV5003',
    title: 'Columns read with assumed types',
    severity: 'info',
    doc: 'The source says nothing of the type of these columns. The job reads each as `STRING`, or with the first type with which all queries can use it. Values that are not of that type end the job, and numbers read as text are written as text. Declare the columns with their types.',
  },
  'job-format': {
    code: 'LV5004',
    title: 'Records that cannot have the asked format',
    severity: 'error',
    doc: 'The model asks for a format in `schema`, and its records cannot have it: a column has a type or a name that the format does not have, its rows change without a key, its columns are not known, or Avro is asked for and the project has no registry. Give the column another type with CAST or another name with AS, or choose another format.',
  },
  'job-needs-class': {
    code: 'LV5005',
    title: 'Job that needs a class of Protobuf',
    severity: 'info',
    doc: 'The engine writes and reads Protobuf by a Java class, which the compiler of Protobuf makes of the schema. Add a jar with it to the class path of the cluster, and build it again when columns change. The records are those of the engine: they carry no number of a schema in the registry.',
  },
} as const satisfies CodeTable;
