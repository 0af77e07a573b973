import type { DroppedRecords } from '../../contract/source-task.ts';

/** Of a batch of which only the beginning was delivered: what was dropped, and the rest as undelivered. */
export function markUndelivered(
  dropped: DroppedRecords,
  { from, to }: { readonly from: number; readonly to: number },
): DroppedRecords {
  const marked = new Map(dropped);
  for (let index = from; index < to; index += 1)
    if (!marked.has(index)) marked.set(index, 'shutdown_timeout');
  return marked;
}
