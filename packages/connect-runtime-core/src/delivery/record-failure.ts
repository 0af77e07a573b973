import { ConnectorError } from '../diagnostics/connector-error.ts';

/** Where a record failed, by Kafka Connect's names. */
export type RecordStage =
  | 'TRANSFORMATION'
  | 'HEADER_CONVERTER'
  | 'KEY_CONVERTER'
  | 'VALUE_CONVERTER'
  | 'KAFKA_PRODUCE';

/** See the properties of {@link RecordFailure}. */
export interface RecordFailureOptions {
  readonly className?: string | undefined;
  readonly drop?: boolean;
}

/** Thrown for a record that cannot be transformed or converted: says where, beside what is wrong. */
export class RecordFailure extends Error {
  readonly stage: RecordStage;
  /** Class of the transformation that failed; undefined for converters, of which a task has one per stage. */
  readonly className: string | undefined;
  readonly error: ConnectorError;
  /** Whether the record is dropped on purpose, also where nothing else is tolerated. */
  readonly drop: boolean;

  constructor(stage: RecordStage, thrown: unknown, options: RecordFailureOptions = {}) {
    const error = ConnectorError.from(thrown, 'conversion_failed');
    super(error.message, { cause: error });
    this.name = 'RecordFailure';
    this.stage = stage;
    this.className = options.className;
    this.drop = options.drop ?? false;
    this.error = error;
  }
}
