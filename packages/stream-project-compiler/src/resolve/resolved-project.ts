import type { Definition } from '../parse/definition.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { ModelSql } from './model-sql.ts';
import type { NodeId } from './node-id.ts';
import type { Reference } from './reference.ts';
import type { ModelSettings, TestSettings } from './settings.ts';

/** A model whose names are resolved and whose settings are complete. */
export interface ResolvedModel {
  readonly id: NodeId;
  readonly name: string;
  readonly definition: Definition<'model'>;
  /** Undefined when it has none, or none that can be read as text. */
  readonly sql: ModelSql | undefined;
  /** Its inputs: those of its SQL in order of first use, then those of `from`. */
  readonly inputs: readonly Reference[];
  readonly settings: ModelSettings;
  /** Whether resolving it found mistakes in its SQL or its names. */
  readonly hasFindings: boolean;
}

export interface ResolvedExposure {
  readonly id: NodeId;
  readonly name: string;
  readonly definition: Definition<'exposure'>;
  readonly consumes: readonly Reference[];
  readonly produces: readonly Reference[];
  /** Whether resolving it found mistakes in its names. */
  readonly hasFindings: boolean;
}

export interface ResolvedTest {
  readonly name: string;
  readonly definition: Definition<'test'>;
  /** Model or source under test; undefined when there is none of that name. */
  readonly target: NodeId | undefined;
  /** Its target, then the models of its foreign keys. */
  readonly references: readonly Reference[];
  readonly settings: TestSettings;
  /** Whether resolving it found mistakes in its names. */
  readonly hasFindings: boolean;
}

/** A step of data from one node to the next. */
export interface Edge {
  readonly from: NodeId;
  readonly to: NodeId;
}

/** A project whose names are resolved. Definitions without a name, and those whose name another one has, are left out. */
export interface ResolvedProject {
  readonly parsed: ParsedProject;
  /** Each map is in order of the files. */
  readonly sources: ReadonlyMap<string, Definition<'source'>>;
  readonly models: ReadonlyMap<string, ResolvedModel>;
  readonly tests: ReadonlyMap<string, ResolvedTest>;
  readonly exposures: ReadonlyMap<string, ResolvedExposure>;
  /** Each once: those into models, in order of the models, then those of exposures. Tests have none. */
  readonly edges: readonly Edge[];
  /** Names of the models, each after the models that it reads; otherwise in order of the files. */
  readonly order: readonly string[];
  /** Sets of models that depend on themselves. */
  readonly cycles: readonly (readonly string[])[];
}
