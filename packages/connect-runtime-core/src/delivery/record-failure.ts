import { ConnectorError } from '../diagnostics/connector-error.ts';

/** Where a record failed, by Kafka Connect's names. */
export type RecordStage =
  | 'TRANSFORMATION'
  | 'HEADER_CONVERTER'
  | 'KEY_CONVERTER'
  | 'VALUE_CONVERTER'
  | 'KAFKA_PRODUCE';

/** Thrown for a record that cannot be transformed or converted: says where, beside what is wrong. */
export class RecordFailure extends Error {
  readonly stage: RecordStage;
  /** Class of the transformation that failed; undefined for converters, of which a task has one per stage. */
  readonly className: string | undefined;
  readonly error: ConnectorError;

  constructor(stage: RecordStage, thrown: unknown, className?: string) {
    const error = ConnectorError.from(thrown, 'conversion_failed');
    super(error.message, { cause: error });
    this.name = 'RecordFailure';
    this.stage = stage;
    this.className = className;
    this.error = error;
  }
}
