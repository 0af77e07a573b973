import { type Materialization, materializations } from '@levada/stream-project-schema';
import type { ChangeKind } from '../changelog/changes.ts';
import type { ProjectArtifacts } from './artifact.ts';
import { listOf, object, type SchemaPart, text, texts } from './schema-parts.ts';

/** The shape of {@link ProjectManifest}; a number after the "/" that grows when a reader could break. */
export const projectManifestSchema = 'levada.project-manifest/1';

/**
 * What a compiled project is: its graph, what each model becomes, and the artifacts. The same files and variables always give
 * the same bytes: there is no time in it, no path of a machine, and nothing in an order that could change. Lists are in order of
 * names. Ids are `source:x`, `model:x`, `exposure:x`.
 */
export interface ProjectManifest {
  readonly schema: typeof projectManifestSchema;
  readonly project: { readonly name: string; readonly version?: string; readonly description?: string };
  readonly sources: readonly ManifestSource[];
  readonly models: readonly ManifestModel[];
  readonly tests: readonly ManifestTest[];
  readonly exposures: readonly ManifestExposure[];
  /** Steps of data, `[from, to]`, each once. */
  readonly edges: readonly (readonly [from: string, to: string])[];
  /** Ids of all models, each after the models that it reads. */
  readonly order: readonly string[];
  readonly artifacts: ProjectArtifacts;
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

interface ManifestColumn {
  readonly name: string;
  /** As the engine writes it, `DECIMAL(10, 2)`; null when it cannot be determined. */
  readonly type: string | null;
}

export interface ManifestSource extends ManifestFacts, ManifestColumns {
  readonly topic: string;
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
  /** How its rows change. Absent when it cannot be determined. */
  readonly changes?: ManifestChanges;
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
}

export interface ManifestExposure extends ManifestFacts {
  readonly type: string;
  readonly role?: string;
}

const config: SchemaPart = { type: 'object', additionalProperties: text };
const facts = { name: text, file: text, 'description?': text, 'owner?': text, 'tags?': texts };
const column = object({ name: text, type: { type: ['string', 'null'] } });
const columns = { columns: listOf(column), 'columns_incomplete?': text };

const model = object({
  ...facts,
  materialized: { type: 'string', enum: Object.keys(materializations) },
  reason: text,
  dependencies: texts,
  'cluster?': text,
  'access?': text,
  'group?': text,
  'version?': { type: 'integer' },
  'changes?': object({
    kind: { enum: ['append', 'upsert', 'retract'] },
    'cause?': text,
    keys: listOf(texts),
  }),
  ...columns,
});

const topic = object({
  name: text,
  'partitions?': { type: 'integer' },
  'replication_factor?': { type: 'integer' },
  config,
});

const artifacts = object({
  topics: listOf(topic),
  jobs: listOf(object({ name: text, 'cluster?': text, reads: texts, writes: text })),
  connectors: listOf(object({ name: text, connector: text, topics: texts, config })),
  virtual_topics: listOf(object({ name: text, physical_topic: text, 'compression?': text })),
  tests: listOf(object({ name: text, type: text, 'cluster?': text, reads: texts, writes: texts })),
});

/** The JSON Schema (draft 2020-12) of `manifest.json`. */
export const projectManifestJsonSchema: SchemaPart = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Manifest of a compiled stream project',
  ...object({
    schema: { const: projectManifestSchema },
    project: object({ name: text, 'version?': text, 'description?': text }),
    sources: listOf(object({ ...facts, topic: text, ...columns })),
    models: listOf(model),
    tests: listOf(object({ ...facts, type: text, target: text })),
    exposures: listOf(object({ ...facts, type: text, 'role?': text })),
    edges: listOf({ ...listOf(text), minItems: 2, maxItems: 2 }),
    order: texts,
    artifacts,
  }),
};
