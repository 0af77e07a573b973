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
    doc: 'The rows of the model are updated or withdrawn, and its key does not find the row that a change is for. With a `key` that several rows share only the last of them is kept: engines before 2.3 do this by themselves, and for later ones the job says `ON CONFLICT DO DEDUPLICATE`, which they ask for. Without any key each change is a record with the row before and after it, which readers may get from several partitions and in another order. The message names the key that works: the columns of GROUP BY, DISTINCT or PARTITION BY, or those of the joined tables.',
  },
  'null-in-key': {
    code: 'LV4150',
    title: 'Key that can be null',
    severity: 'warning',
    doc: 'An outer join, an aggregate, ROLLUP, a mask or the declaration of a column makes nulls in the key of the model: its `key`, or the columns by which its rows are written where they change. A topic has no row that changes without a whole key: such rows are left out of it and counted. Appended rows with a null key are records without a key, which can be in any partition; a compacted topic refuses them, so that they go to the topic of the same name that ends in `.null-keys`. Write COALESCE with a value that no row has, or leave such rows out in the SQL. Columns that are not declared as `NOT NULL` are not reported.',
  },
} as const satisfies CodeTable;
