import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of what is found when jobs are written (5xxx). */
export const jobCodes = {
  'job-not-written': {
    code: 'LV5001',
    title: 'Model without a job',
    severity: 'warning',
    doc: 'The SQL of the model may be right, but no job is written for it, because a job with it would be refused by the engine or could do something else than it says. The message names what is missing, most often the columns of a source: with `SELECT *` and other rows than those of one table the job has to know all of them. Until then the project has a hole: `validate` and `compile` end with 6 unless `--allow-incomplete` is given. Rows that change need a key by which they are found again, which neither a mask nor a function such as `CURRENT_TIMESTAMP` may make impossible.',
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
  'job-readers': {
    code: 'LV5006',
    title: 'Topics read by fewer tasks than a job has',
    severity: 'info',
    doc: 'A task that reads no partition holds back the event time of all others, and no window of the job would ever end. So where a window, an interval join, a temporal join or an order by time waits for event time, a job has at most as many tasks that read topics with event time as the narrowest of them has partitions, and where the project does not say how many these are, one task reads it. Rows of one key may then change places between the reading task and those after it. Engines before 2.0 cannot read a table with fewer tasks: there the whole job has only as many. Where the project does not say how many partitions there are, write `partitions` in the source, or `advanced.topic.partitions` in the model; otherwise the number of tasks is right, and more would need more partitions.',
  },
  'job-time-read-again': {
    code: 'LV5007',
    title: 'Event time that is read from the topic of a model',
    severity: 'warning',
    doc: 'Models of one cluster that read one another are one job, in which all models have the event time of the sources. Here a model reads another one through its topic, and makes event time again from the order in which rows are there. Where the topic is read from the beginning, rows of different partitions come in blocks, and those that come later than the watermark allows are left out of windows: a third of them and more were measured. The message says why it does: the model that is read says `advanced.engine.ends_job`, declares an event time that its SQL does not hand on, or a longer delay than its source; its `key` keeps one of several rows; not all of its columns are known; its SQL cannot be a view; the engine would take its rows for appended (LV4161); the models run on different clusters; or no job can be written for it, so that others write its topic.',
  },
  'job-state-longer': {
    code: 'LV5008',
    title: 'State that is kept longer than a model says',
    severity: 'info',
    doc: 'Models of one cluster that read one another are one job, and a job has one time for which it keeps idle state: the longest that one of its models asks for, and no limit where a model with state says none. Rows are the same or more complete; state takes more space. Give all models of the job a `state_ttl_ms`, or end the job with `advanced.engine.ends_job: true` in the model before.',
  },
  'job-reads-own-topic': {
    code: 'LV5009',
    title: 'Job that reads a topic that it writes',
    severity: 'info',
    doc: 'A model reads another one through its topic, because a job ends there, and both are part of one job, because other models connect them: the reader also reads a model of that job, or is read together with one. The rows of the job come with the exact event time, those of the topic later, and in the order of the topic. No row is lost by it, and where event time is made again from that topic, LV5007 says so. A model that reads nothing of the job but such topics is in a job of its own: write `advanced.engine.ends_job: true` in the other models that it reads too. Models that need event time lose more by that than by one job.',
  },
  'job-transactions-end': {
    code: 'LV5010',
    title: 'Transactions that end before their checkpoint',
    severity: 'error',
    doc: 'With `delivery: exactly_once` a job writes the rows between two checkpoints in one transaction, which the second checkpoint commits. Brokers abort a transaction after 15 minutes, unless they are set up for longer ones (`transaction.max.timeout.ms`), and jobs ask for no more. The job has a longer time between checkpoints: that of the model that asks for the shortest one. It would never write a row. Write a `checkpoint_interval_ms` well below 900000, since a checkpoint takes time, too.',
  },
  'job-starts-earlier': {
    code: 'LV5011',
    title: 'Job that starts earlier than a model says',
    severity: 'warning',
    doc: 'Models of one cluster that read one another are one job, and a job without state begins to read at one place: the earliest that one of its models asks for, and the beginning of the topics where a model says none. So no model misses rows that it asks for, and this one also gets rows of before its own start, which it appends to its topic. Of `resume` and a timestamp neither is known to be the earlier one, and the job begins at the beginning. Topics with the latest row of each key are always read from the beginning, and models that read nothing else have no say. Give all models of the job the same `start`, or end the job with `advanced.engine.ends_job: true` in the model before.',
  },
  'job-version-assumed': {
    code: 'LV5012',
    title: 'Version that jobs are not written for',
    severity: 'warning',
    doc: 'A cluster of the engine, or `--engine-version`, says a version that jobs are not written for. It is older or newer than those that are known, and jobs are written for the nearest one before it, or for the oldest one. The message names it. Another engine may refuse the statements, or need workarounds that they do not have. Run the jobs on one of these versions, or try them first.',
  },
} as const satisfies CodeTable;
