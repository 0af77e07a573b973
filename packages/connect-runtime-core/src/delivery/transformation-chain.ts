import type { SourceRecord } from '../contract/source-record.ts';
import type { Predicate, Transformation } from '../contract/transformation.ts';
import { RecordFailure } from './record-failure.ts';

/** One transformation of a chain, with the condition under which it applies. */
export interface TransformationStage {
  readonly className: string;
  readonly transformation: Transformation;
  /** Absent: it always applies. */
  readonly predicate?: Predicate;
  /** It applies where the predicate does not hold. */
  readonly negate: boolean;
}

/** What a chain made of a record: another one, null for one that was dropped on purpose, or a failure. */
export type Transformed = SourceRecord | RecordFailure | null;

/** Runs each record through all transformations, in their order. Never throws: a record that fails is a failure in its place. */
export function transformAll(
  stages: readonly TransformationStage[],
  records: readonly SourceRecord[],
): readonly Transformed[] {
  return records.map((record) => transform(stages, record));
}

/** What a chain makes of one record. Never throws. */
export function transform(stages: readonly TransformationStage[], record: SourceRecord): Transformed {
  let present: SourceRecord | null = record;
  for (const { className, transformation, predicate, negate } of stages) {
    try {
      if (predicate === undefined || predicate.test(present) !== negate)
        present = transformation.apply(present);
    } catch (thrown) {
      return new RecordFailure('TRANSFORMATION', thrown, { className });
    }
    if (present === null) return null;
  }
  return present;
}

/** The records that are to be sent. */
export function sentOf(transformed: readonly Transformed[]): readonly SourceRecord[] {
  return transformed.filter((one): one is SourceRecord => one !== null && !(one instanceof RecordFailure));
}
