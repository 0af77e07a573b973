import type { OffsetChange } from '../contract/source-connector.ts';
import type { SourceOffset } from '../contract/source-offset.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';

export interface OffsetForm {
  /** Names in a source partition. */
  readonly partition: readonly string[];
  /** Completes "invalid source partition: expected". */
  readonly partitionText: string;
  /** Whether a task could continue from an offset. */
  readonly isOffset: (offset: SourceOffset) => boolean;
  /** Completes "invalid offset: expected". */
  readonly offsetText: string;
}

/** The `alterOffsets` of a connector that keeps its offsets in the runtime: refuses what a task could not continue from. */
export function checkOffsetChanges(
  form: OffsetForm,
): (raw: unknown, changes: readonly OffsetChange[]) => true {
  const expected = form.partition.toSorted().join();
  return (_, changes) => {
    for (const { partition, offset } of changes) {
      const names = Object.keys(partition ?? {})
        .sort()
        .join();
      if (names !== expected)
        throw new ConnectorError(
          'config_invalid',
          `invalid source partition: expected ${form.partitionText}`,
        );
      if (offset !== null && !form.isOffset(offset))
        throw new ConnectorError('config_invalid', `invalid offset: expected ${form.offsetText}`);
    }
    return true;
  };
}
