import { type Materialization, materializations, schemaFormats } from '@levada/stream-project-schema';
import type { ChangeKind } from '../changelog/changes.ts';
import type { ColumnInfluence, ColumnOrigin } from '../columns/nodes/node-columns.ts';
import type { Hole } from '../test-jobs/project-holes.ts';
import type { ProjectArtifacts } from './artifact.ts';
import { hash, listOf, object, type SchemaPart, text, texts } from './schema-parts.ts';
import type { Written } from './written-value.ts';

/** The shape of {@link ProjectManifest}; a number after the "/" that grows when a reader could break. */
export const projectManifestSchema = 'levada.project-manifest/2';

/**
 * What a compiled project is: its graph, what each model becomes, and the artifacts. The same files and variables always give
 * the same bytes: there is no time in it, no path of a machine, and nothing in an order that could change. Lists are in order of
 * names. Ids are `source:x`, `model:x`, `exposure:x`.
 */
export interface ProjectManifest {
  readonly schema: typeof projectManifestSchema;
  readonly project: { readonly name: string; readonly version?: string; readonly description?: string };
  /** The systems that it runs on, as the project names them. */
  readonly runtime?: Written;
  readonly sources: readonly ManifestSource[];
  readonly models: readonly ManifestModel[];
  readonly tests: readonly ManifestTest[];
  readonly exposures: readonly ManifestExposure[];
  /** Steps of data, `[from, to]`, each once. */
  readonly edges: readonly (readonly [from: string, to: string])[];
  /** Ids of all models, each after the models that it reads. */
  readonly order: readonly string[];
  readonly artifacts: ProjectArtifacts;
  /** Jobs that the project asks for and that could not be written. Absent when there are none. */
  readonly holes?: readonly Hole[];
  /** Every other file of the compilation, in order of their paths. */
  readonly files: readonly ManifestFile[];
}

/** A file of the compilation. */
export interface ManifestFile {
  /** Below the folder of the manifest, with "/" between. */
  readonly path: string;
  /** SHA-256 of its bytes, in hexadecimal. Absent for a file that holds a secret, which a hash could help to guess. */
  readonly sha256?: string;
}

/** What every definition may say of itself, with variables as they are written. */
export interface ManifestFacts {
  readonly name: string;
  /** Path of its file below the project's folder. */
  readonly file: string;
  readonly description?: string;
  readonly owner?: string;
  readonly tags?: readonly string[];
}

interface ManifestColumns {
  readonly columns: readonly ManifestColumn[];
  /** Why there may be more columns than listed. Absent when there are not. */
  readonly columns_incomplete?: string;
}

export interface ManifestColumn {
  readonly name: string;
  /** As the engine writes it, `DECIMAL(10, 2)`; null when it cannot be determined. */
  readonly type: string | null;
  readonly description?: string;
  /** How sensitive its content is, as far as the definition itself says it. */
  readonly classification?: string;
  /** Columns that its values are made of, and the most that happens to them on the way. Absent for none. */
  readonly origins?: readonly ColumnOrigin[];
}

/** Event time, and how far the watermark lags the latest time seen. */
interface ManifestEventTime {
  readonly column: string;
  readonly strategy: string;
  readonly delay_ms: number;
}

export interface ManifestSource extends ManifestFacts, ManifestColumns {
  readonly topic: string;
  /** Cluster of the platform. */
  readonly cluster?: string;
  readonly event_time?: ManifestEventTime;
  readonly schema?: Written;
  readonly freshness?: Written;
}

export interface ManifestModel extends ManifestFacts, ManifestColumns {
  readonly materialized: Materialization;
  /** Why it becomes that, in a few words. */
  readonly reason: string;
  /** Ids of what it reads, in the order in which it names them. */
  readonly dependencies: readonly string[];
  /** Cluster of the engine for a job, of the connector runtime for a sink. */
  readonly cluster?: string;
  readonly access?: string;
  readonly group?: string;
  readonly version?: number;
  /** Its output topic, or the virtual topic. Absent for sinks. */
  readonly topic?: string;
  /** Column that decides the partition, where the model names one. */
  readonly key?: string;
  readonly event_time?: ManifestEventTime;
  /** Numbers of its topic and settings of its job, with those of defaults. */
  readonly settings: {
    readonly partitions?: number;
    readonly replication_factor?: number;
    readonly parallelism?: number;
    readonly checkpoint_interval_ms?: number;
    readonly state_ttl_ms?: number;
  };
  readonly masks: readonly Written[];
  readonly deprecation?: Written;
  readonly ml_outputs?: Written;
  /** How its rows change. Absent when it cannot be determined. */
  readonly changes?: ManifestChanges;
  /** Columns that decide about its rows without being part of a value. */
  readonly influences: readonly ColumnInfluence[];
}

/** How the rows of a model change. */
export interface ManifestChanges {
  /** `append`: rows are only added. `upsert`: a row may replace an earlier one of its key. `retract`: rows may be withdrawn as well. */
  readonly kind: ChangeKind;
  /** What makes them change: `GROUP BY`. Absent where they do not. */
  readonly cause?: string;
  /** Sets of columns, each of which finds the row that a change is for. */
  readonly keys: readonly (readonly string[])[];
}

export interface ManifestTest extends ManifestFacts {
  readonly type: string;
  /** Id of the source or model under test. */
  readonly target: string;
  /** Cluster of the engine that runs it, for a continuous test. */
  readonly cluster?: string;
  readonly sample_size?: number;
  readonly assertions: readonly Written[];
  readonly on_failure?: Written;
}

export interface ManifestExposure extends ManifestFacts {
  readonly type: string;
  readonly role?: string;
  readonly url?: string;
  readonly repo?: string;
  readonly language?: string;
  readonly tool?: string;
  readonly schedule?: string;
  readonly consumer_group?: string;
  /** Ids of what it reads. */
  readonly consumes: readonly string[];
  /** Ids of what it writes. */
  readonly produces: readonly string[];
  readonly sla?: Written;
  readonly contracts?: Written;
  readonly access?: Written;
}

const config: SchemaPart = { type: 'object', additionalProperties: text };
const facts = { name: text, file: text, 'description?': text, 'owner?': text, 'tags?': texts };
const integer: SchemaPart = { type: 'integer' };
/** Its keys are those of the format. */
const written: SchemaPart = { type: 'object', additionalProperties: true };
const column = object({
  name: text,
  type: { type: ['string', 'null'] },
  'description?': text,
  'classification?': text,
  'origins?': listOf(
    object({
      node: text,
      column: text,
      through: { enum: ['identity', 'transformation', 'aggregation'] },
    }),
  ),
});
const eventTime = object({ column: text, strategy: text, delay_ms: integer });
const columns = { columns: listOf(column), 'columns_incomplete?': text };

const source = object({
  ...facts,
  topic: text,
  'cluster?': text,
  'event_time?': eventTime,
  'schema?': written,
  'freshness?': written,
  ...columns,
});

const test = object({
  ...facts,
  type: text,
  target: text,
  'cluster?': text,
  'sample_size?': integer,
  assertions: listOf(written),
  'on_failure?': written,
});

const exposure = object({
  ...facts,
  type: text,
  'role?': text,
  'url?': text,
  'repo?': text,
  'language?': text,
  'tool?': text,
  'schedule?': text,
  'consumer_group?': text,
  consumes: texts,
  produces: texts,
  'sla?': written,
  'contracts?': written,
  'access?': written,
});

const model = object({
  ...facts,
  materialized: { type: 'string', enum: Object.keys(materializations) },
  reason: text,
  dependencies: texts,
  'cluster?': text,
  'access?': text,
  'group?': text,
  'version?': integer,
  'topic?': text,
  'key?': text,
  'event_time?': eventTime,
  settings: object({
    'partitions?': integer,
    'replication_factor?': integer,
    'parallelism?': integer,
    'checkpoint_interval_ms?': integer,
    'state_ttl_ms?': integer,
  }),
  masks: listOf(written),
  'deprecation?': written,
  'ml_outputs?': written,
  'changes?': object({
    kind: { enum: ['append', 'upsert', 'retract'] },
    'cause?': text,
    keys: listOf(texts),
  }),
  influences: listOf(
    object({ node: text, column: text, by: { enum: ['filter', 'join', 'group', 'order', 'window'] } }),
  ),
  ...columns,
});

const owner = object({ project: text, 'node?': text });

const topic = {
  name: text,
  owner,
  'format?': { enum: ['json', 'avro', 'protobuf', 'debezium-json'] },
  'key_format?': { enum: ['json', 'avro', 'text', 'none'] },
  'partitions?': integer,
  'replication_factor?': integer,
  config,
};

/** The shape of `topics/<topic>.json`. */
export const topicFileSchema = 'levada.topic/1';

/** The JSON Schema (draft 2020-12) of `topics/<topic>.json`. */
export const topicFileJsonSchema: SchemaPart = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Topic of a compiled stream project',
  ...object({ schema: { const: topicFileSchema }, ...topic }),
};

const artifacts = object({
  order: texts,
  variables: listOf(
    object({
      name: text,
      secret: { type: 'boolean' },
      required: { type: 'boolean' },
      places: listOf(object({ file: text, path: text })),
    }),
  ),
  topics: listOf(object(topic)),
  schemas: listOf(
    object({
      name: text,
      model: text,
      part: { enum: ['value', 'key'] },
      topic: text,
      format: { enum: Object.keys(schemaFormats) },
      subject: text,
      'compatibility?': texts,
      path: text,
    }),
  ),
  jobs: listOf(
    object({
      name: text,
      'cluster?': text,
      reads: texts,
      models: listOf(object({ name: text, writes: text })),
      consumer_group: text,
      needs: object({ connectors: texts, formats: texts }),
      state_fingerprint: hash,
    }),
  ),
  connectors: listOf(object({ name: text, connector: text, 'cluster?': text, owner, topics: texts, config })),
  virtual_topics: listOf(object({ model: text, name: text, physical_topic: text, 'compression?': text })),
  tests: listOf(object({ name: text, type: text, 'cluster?': text, reads: texts, writes: texts })),
});

/** The JSON Schema (draft 2020-12) of `manifest.json`. */
export const projectManifestJsonSchema: SchemaPart = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Manifest of a compiled stream project',
  ...object({
    schema: { const: projectManifestSchema },
    project: object({ name: text, 'version?': text, 'description?': text }),
    'runtime?': written,
    sources: listOf(source),
    models: listOf(model),
    tests: listOf(test),
    exposures: listOf(exposure),
    edges: listOf({ ...listOf(text), minItems: 2, maxItems: 2 }),
    order: texts,
    artifacts,
    'holes?': listOf(object({ object: text, reason: text })),
    files: listOf(object({ path: text, 'sha256?': hash })),
  }),
};
