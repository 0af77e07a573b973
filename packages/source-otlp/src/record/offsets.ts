import type { SourceOffset, SourcePartition } from '@levada/connect-runtime-core';
import type { SignalName } from '../model/signals.ts';

/** The source partition of one signal of a connector. */
export function sourcePartition(connectorName: string, signal: SignalName): SourcePartition {
  return { connector_name: connectorName, signal_type: signal.toUpperCase() };
}

/** Number of the last export that the log acknowledged; undefined when the offset does not belong to this connector. */
export function sequenceOfOffset(offset: SourceOffset): number | undefined {
  const { sequence } = offset;
  return typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence >= 0
    ? sequence
    : undefined;
}
