import type { CompactedRecord, RecordPage, RecordQuery } from './log-platform.ts';

/**
 * Makes the page of a query from records that were read: the last ones, or the first after the place. Those that are left over come with the
 * next page. `next` has the offset after the last record that was read of each partition.
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
