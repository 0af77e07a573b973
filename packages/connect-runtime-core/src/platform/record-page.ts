import type { CompactedRecord } from './log-platform.ts';

/** Which records of a topic are to be read. */
export interface RecordQuery {
  readonly topic: string;
  /** Partition to the first offset; partitions that are missing are read from their beginning. Absent: the last records are read. */
  readonly after?: ReadonlyMap<number, number>;
  /** Most records. */
  readonly most: number;
}

/** Some records of a topic, by time; without their headers. */
export interface RecordPage {
  readonly records: readonly CompactedRecord[];
  /** {@link RecordQuery.after} of what follows. */
  readonly next: ReadonlyMap<number, number>;
}

/**
 * Makes the page of a query from records that were read: the last ones, or the first after {@link RecordQuery.after}. `next` continues with the
 * records that did not fit, or after the last record that was read of each partition.
 */
export function selectRecords(
  { after, most }: RecordQuery,
  next: ReadonlyMap<number, number>,
  records: readonly CompactedRecord[],
): RecordPage {
  const sorted = records.toSorted(
    (one, other) =>
      one.timestamp - other.timestamp || one.partition - other.partition || one.offset - other.offset,
  );
  if (after === undefined) return { records: most === 0 ? [] : sorted.slice(-most), next };
  const places = new Map(next);
  for (const { partition, offset } of sorted.slice(most))
    places.set(partition, Math.min(places.get(partition) ?? offset, offset));
  const isTaken = ({ partition, offset }: CompactedRecord): boolean => offset < (places.get(partition) ?? 0);
  return { records: sorted.slice(0, most).filter(isTaken), next: places };
}
