import { deliveryGuarantees, jobStarts } from '@levada/stream-project-schema';
import type { InferredProject } from '../infer/infer-project.ts';
import type { Job, JobInput, JobSettings, NullKeys } from '../jobs/job.ts';
import type { StatePart } from '../jobs/state/state-part.ts';
import { restartStrategy } from '../jobs/write/job-settings.ts';
import { hash, listOf, object, type SchemaPart, text, texts } from './schema-parts.ts';
import { statePartSchema } from './state-schema.ts';

/** The shape of {@link JobFile}; a number after the "/" that grows when a reader could break. */
export const jobFileSchema = 'levada.job/2';

/** What a deployer has to know of a job beside its statements, which are in the file of the same name that ends in `.sql`. */
export interface JobFile {
  readonly schema: typeof jobFileSchema;
  /** That of its first model. */
  readonly name: string;
  /** Cluster of the engine; absent where the project names none. */
  readonly cluster?: string;
  /** Version of the engine that the statements are for. */
  readonly engine_version: string;
  readonly settings: JobFileSettings & {
    /** Where it begins to read when it has no state: `earliest`, `latest`, `resume`. Topics with the latest row of each key are always read from the beginning. */
    readonly start: string;
    /** In place of `start`: records of this time and later ones, in milliseconds since 1970. */
    readonly start_timestamp_ms?: number;
    /** `at_least_once` or `exactly_once`. */
    readonly delivery: string;
    /** What the engine does when the job fails. */
    readonly restart_strategy: string;
  };
  /** In order of first use. */
  readonly reads: readonly JobFileInput[];
  /** The models that it computes, each after those that it reads. */
  readonly models: readonly JobFileModel[];
  /**
   * The same as long as the engine, in the same version, can restore the state that an earlier job of these models left: SHA-256 of the
   * fingerprints of the parts of all models.
   */
  readonly state_fingerprint: string;
  /** Types of columns that nothing declares, as the job reads them. */
  readonly assumed_types: readonly {
    readonly node: string;
    readonly column: string;
    readonly type: string;
  }[];
  /** First line of each statement in the file, from 1. Each ends with ";" before the next one, or at the end. */
  readonly statements: readonly number[];
}

/** Absent where the project says nothing. */
export interface JobFileSettings {
  readonly parallelism?: number;
  readonly checkpoint_interval_ms?: number;
  readonly state_ttl_ms?: number;
}

/** A model that a job computes. */
export interface JobFileModel {
  readonly model: string;
  /** Path of the model's file below the project's folder. */
  readonly file: string;
  /** What the model itself asks for; of several models the job has the most parallelism, the shortest interval and the longest time. */
  readonly settings: JobFileSettings;
  /** What its query names, in order of first use. The topic of a model of the same job is not read. */
  readonly reads: readonly { readonly node: string; readonly topic: string }[];
  readonly writes: {
    readonly topic: string;
    readonly table: string;
    readonly rows: string;
    /** Number of the statement that makes the table, from 1. */
    readonly statement: number;
  };
  /**
   * Rows whose key has a null, which the topic cannot have. The table takes them: the records that its operator gets are their number.
   * Absent where the key has no nulls, or a null in it does no harm.
   */
  readonly null_keys?: {
    /** The columns of the key that may be null. */
    readonly columns: readonly string[];
    readonly table: string;
    /** The dead-letter topic. Absent where rows change, which are only counted. */
    readonly topic?: string;
  };
  /** How the rows of its query change: `append`, `upsert` or `retract`. */
  readonly changes: string;
  /** Columns that make the key of the records that it writes. */
  readonly key: readonly string[];
  /**
   * What its topic holds after the job was started again without its state, beside what it held before. `repeats`: all rows again.
   * `replaces`: the rows of each key, in place of those before. `contradicts`: rows that were never withdrawn, again. `continues`: only
   * rows of what is read from the start on. `forgets`: these as well, computed without what was read before, in place of right rows.
   */
  readonly without_state: string;
  /** Its parts that keep state: offsets of topics, operators in the order in which rows pass them, what writes rows that change. */
  readonly state: readonly StatePart[];
  /** Number of the statement that holds its query, from 1. */
  readonly statement: number;
  /** Pieces of lines that are as they are in the project: `[line, column, length]` in the file of statements, `[line, column]` in `file`. */
  readonly source_map: readonly (readonly [number, number, number, number, number])[];
}

/** A topic that a job reads. */
export interface JobFileInput {
  readonly node: string;
  readonly topic: string;
  readonly table: string;
  /** `append`: each row is new. `upsert`: the latest of each key. `changelog`: changes with the rows before and after them. */
  readonly rows: string;
  /** Number of the statement that makes the table, from 1. */
  readonly statement: number;
  readonly watermark?: { readonly column: string; readonly delay_ms: number };
}

/** The statements of a job as one text: each ends with ";", with an empty line between. */
export function jobScript({ statements }: Pick<Job, 'statements'>): string {
  return `${statements.map((sql) => `${sql}${endOf(sql)}`).join('\n\n')}\n`;
}

/** After a comment that ends with its line, on a line of its own. */
function endOf(sql: string): string {
  const last = sql.slice(sql.lastIndexOf('\n') + 1);
  return /--|\/\/|#/.test(last) ? '\n;' : ';';
}

/** The facts of a job. */
export function jobFile(job: Job, { resolved }: InferredProject): JobFile {
  const { name, cluster, version, models, assumed } = job;
  const lines = statementLines(job);
  return {
    schema: jobFileSchema,
    name,
    ...(cluster === undefined ? {} : { cluster: cluster.value }),
    engine_version: version,
    settings: {
      ...settingFacts(job.settings),
      start: job.settings.start ?? 'earliest',
      ...(job.settings.startMs === undefined ? {} : { start_timestamp_ms: job.settings.startMs }),
      delivery: job.settings.delivery ?? 'at_least_once',
      restart_strategy: restartStrategy,
    },
    reads: job.reads.map((input) => inputFact(input, input.statement)),
    models: models.map(
      ({ model, settings, reads, writes, nullKeys, changes, key, withoutState, state, query }) => {
        const offset = (lines[query.statement - 1] ?? 1) - 1;
        return {
          model,
          file: resolved.models.get(model)?.definition.file.path ?? '',
          settings: settingFacts(settings),
          reads,
          writes,
          ...(nullKeys === undefined ? {} : { null_keys: nullKeyFacts(nullKeys) }),
          changes,
          key,
          without_state: withoutState,
          state,
          statement: query.statement,
          source_map: query.lines.map(({ line, column, length, from }) => [
            line + offset,
            column,
            length,
            from.line,
            from.column,
          ]),
        };
      },
    ),
    state_fingerprint: job.stateFingerprint,
    assumed_types: assumed,
    statements: lines,
  };
}

function nullKeyFacts({ columns, table, topic }: NullKeys): NonNullable<JobFileModel['null_keys']> {
  return { columns, table, ...(topic === undefined ? {} : { topic }) };
}

function settingFacts({ parallelism, checkpointIntervalMs, stateTtlMs }: JobSettings): JobFileSettings {
  return {
    ...(parallelism === undefined ? {} : { parallelism }),
    ...(checkpointIntervalMs === undefined ? {} : { checkpoint_interval_ms: checkpointIntervalMs }),
    ...(stateTtlMs === undefined ? {} : { state_ttl_ms: stateTtlMs }),
  };
}

/** The topics that a job reads, as files have them: their tables are made after its settings, in the same order. */
export function inputFacts({
  statements,
  reads,
}: Pick<Job, 'statements'> & { readonly reads: readonly JobInput[] }): readonly JobFileInput[] {
  const before = statements.findIndex((sql) => !sql.startsWith('SET '));
  return reads.map((input, index) => inputFact(input, before + index + 1));
}

function inputFact({ node, topic, table, rows, watermark }: JobInput, statement: number): JobFileInput {
  return {
    node,
    topic,
    table,
    rows,
    statement,
    ...(watermark === undefined
      ? {}
      : { watermark: { column: watermark.column, delay_ms: watermark.delayMs } }),
  };
}

/** First line of each statement in the file of a job, from 1. */
export function statementLines({ statements }: Pick<Job, 'statements'>): readonly number[] {
  let line = 1;
  return statements.map((sql) => {
    const first = line;
    line += `${sql}${endOf(sql)}`.split('\n').length + 1;
    return first;
  });
}

const integer: SchemaPart = { type: 'integer' };
const settings = {
  'parallelism?': integer,
  'checkpoint_interval_ms?': integer,
  'state_ttl_ms?': integer,
};
const rows: SchemaPart = { enum: ['append', 'upsert', 'changelog'] };

/** The JSON Schema of a topic that a job reads. */
export const jobInputSchema: SchemaPart = object({
  node: text,
  topic: text,
  table: text,
  rows,
  statement: integer,
  'watermark?': object({ column: text, delay_ms: integer }),
});

/** The JSON Schema (draft 2020-12) of `jobs/<name>.json`. */
export const jobFileJsonSchema: SchemaPart = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Job of a compiled stream project',
  ...object({
    schema: { const: jobFileSchema },
    name: text,
    'cluster?': text,
    engine_version: text,
    settings: object({
      ...settings,
      start: { enum: Object.keys(jobStarts) },
      'start_timestamp_ms?': integer,
      delivery: { enum: Object.keys(deliveryGuarantees) },
      restart_strategy: text,
    }),
    reads: listOf(jobInputSchema),
    models: listOf(
      object({
        model: text,
        file: text,
        settings: object(settings),
        reads: listOf(object({ node: text, topic: text })),
        writes: object({ topic: text, table: text, rows, statement: integer }),
        'null_keys?': object({ columns: texts, table: text, 'topic?': text }),
        changes: { enum: ['append', 'upsert', 'retract'] },
        key: texts,
        without_state: { enum: ['repeats', 'replaces', 'contradicts', 'continues', 'forgets'] },
        state: listOf(statePartSchema),
        statement: integer,
        source_map: listOf({ ...listOf(integer), minItems: 5, maxItems: 5 }),
      }),
    ),
    state_fingerprint: hash,
    assumed_types: listOf(object({ node: text, column: text, type: text })),
    statements: listOf(integer),
  }),
};
