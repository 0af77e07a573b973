import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Codes of what follows from the kind of a model (4xxx). */
export const inferCodes = {
  'engine-required': {
    code: 'LV4001',
    title: 'Job without an engine',
    severity: 'error',
    doc: 'The model needs a job of the engine, or the test is continuous, and the project has no `runtime.engine`. The part of the SQL that requires the engine is reported.',
  },
  'managed-engine-required': {
    code: 'LV4002',
    title: 'Machine-learning function without a managed engine',
    severity: 'error',
    doc: '`ML_PREDICT` and `ML_EVALUATE` run on clusters of type `managed` only, and no cluster of `runtime.engine.clusters` is of that type.',
  },
  'gateway-required': {
    code: 'LV4003',
    title: 'Virtual topic without a gateway',
    severity: 'error',
    doc: 'A model with `advanced.gateway` is a virtual topic, which a gateway serves. The project has no `runtime.vendor.gateway`.',
  },
  'key-of-changes': {
    code: 'LV4004',
    title: 'Rows that change without a fitting key',
    severity: 'warning',
    doc: 'The rows of the model are updated or withdrawn, and its key does not find the row that a change is for. With a `key` that several rows share only the last of them is kept, and it is not known that they do not where nothing says which columns distinguish the rows of a source: engines before 2.3 do this by themselves, and for later ones the job says `ON CONFLICT DO DEDUPLICATE`, which they ask for. Without any key each change is a record with the row before and after it, which readers may get from several partitions and in another order. The message names the key that works: the columns of GROUP BY, DISTINCT or PARTITION BY, or those of the joined tables. It says that several rows can have the same key where it is known that they can. A key that each row has for itself is not reported here, but as LV4199 where the engine does not derive it.',
  },
  'source-key': {
    code: 'LV4196',
    title: 'Invalid key of a source',
    severity: 'error',
    doc: 'With `changelog: upsert` a source has the latest row of each key, so it needs a `key`. The columns of a `key` are declared and part of the records: the engine has no primary key of computed columns and processing times. Of an upsert topic, columns with `metadata: key` are the whole key. Rows of Debezium hold their key themselves.',
  },
  'record-metadata': {
    code: 'LV4197',
    title: 'Invalid metadata column',
    severity: 'error',
    doc: "A column has metadata that records of this form do not have, or in a type that it cannot have: `source.timestamp` and `source.table` are fields of Debezium's envelope in JSON. The engine reads each metadata with one column. With `changelog: debezium` the source needs a `key`, because a change that withdraws a row has other metadata than the change that wrote it: without a key the engine cannot find that row.",
  },
  'source-format': {
    code: 'LV4198',
    title: 'Record format that the engine does not read',
    severity: 'error',
    doc: 'The engine reads the envelope of Debezium in JSON, and in Avro with the registry. It reads records that carry their schema (`embedded`) with that envelope in JSON only, and Protobuf by a class (`message_class`).',
  },
  'key-not-found': {
    code: 'LV4199',
    title: 'Key that the engine does not find',
    severity: 'info',
    doc: 'The rows of the model change later, and each has its own `key`, but the planner does not derive that: for example a join by other columns hides the key of its left side. Nothing is lost. The engine keeps a history of the rows of each key to write the right one, which is more state: until 2.2 by itself, from 2.3 on because the job says `ON CONFLICT DO DEDUPLICATE`. No other key saves it.',
  },
  'null-in-key': {
    code: 'LV4150',
    title: 'Key that can be null',
    severity: 'warning',
    doc: 'An outer join, an aggregate, ROLLUP, a mask or the declaration of a column makes nulls in the key of the model: its `key`, or the columns by which its rows are written where they change. A topic has no row that changes without a whole key: such rows are left out of it and counted. Appended rows with a null key are records without a key, which can be in any partition, where the key is one text; any other key has a null in it, which is not reported. A compacted topic refuses records without a key, so that they go to the topic of the same name that ends in `.null-keys`. Write COALESCE with a value that no row has, or leave such rows out in the SQL. Columns that are not declared as `NOT NULL` are not reported.',
  },
} as const satisfies CodeTable;
