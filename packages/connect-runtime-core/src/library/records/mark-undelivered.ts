import type { DroppedRecords } from '../../contract/source-task.ts';

/** Adds the undelivered end of a batch to the records that were dropped from it. */
export function markUndelivered(
  dropped: DroppedRecords,
  { from, to }: { readonly from: number; readonly to: number },
): DroppedRecords {
  const marked = new Map(dropped);
  for (let index = from; index < to; index += 1)
    if (!marked.has(index)) marked.set(index, 'shutdown_timeout');
  return marked;
}
