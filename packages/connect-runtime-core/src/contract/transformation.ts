import type { ConfigDef } from '../config/config-def.ts';
import type { RawConfig } from '../config/config-key.ts';
import type { SourceRecord } from './source-record.ts';

/**
 * Changes the records of one task, one by one, before they are converted. Corresponds to Kafka Connect's `Transformation`.
 */
export interface Transformation {
  /**
   * The record to continue with: the same one, a new one, or null to drop it on purpose, which is counted and commits its
   * offset. Called once per record, in order, and never at the same time as another call. Must not write to what it is given.
   * What it throws is a failure of the record, which `errors.tolerance` decides about.
   */
  apply(record: SourceRecord): SourceRecord | null;
}

/** A condition of records. Corresponds to Kafka Connect's `Predicate`. */
export interface Predicate {
  /** Whether it holds. Called as {@link Transformation.apply} is. */
  test(record: SourceRecord): boolean;
}

/** What a worker installs to make transformations or predicates: made once per task and alias. */
interface StagePlugin<Stage> {
  /** Class name, as configurations have it in `transforms.<alias>.type` or `predicates.<alias>.type`. */
  readonly className: string;
  /** Its keys, without `transforms.<alias>.` before them. */
  readonly config: Pick<ConfigDef, 'keys' | 'describe'>;
  /** Version of the package, as `/connector-plugins` shows it. Default: that of the worker. */
  readonly version?: string;
  /** Builds one from its keys. Unknown keys are ignored. Throws a `config_invalid` ConnectorError. */
  create(config: RawConfig): Stage;
}

/** A kind of transformation as a worker has it. */
export type TransformationPlugin = StagePlugin<Transformation>;

/** A kind of predicate as a worker has it. */
export type PredicatePlugin = StagePlugin<Predicate>;
