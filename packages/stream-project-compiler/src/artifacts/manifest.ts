import type { Materialization } from '@levada/stream-project-schema';
import type { ProjectArtifacts } from './artifact.ts';

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
  /** Ids of all models, each behind the models that it reads. */
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

export interface ManifestColumn {
  readonly name: string;
  /** As the engine writes it, `DECIMAL(10, 2)`; null when it cannot be told. */
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
