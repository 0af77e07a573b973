/**
 * Copies bytes at this distance before the end of the output to its end, as LZ4 and snappy do for repetitions. The ranges may
 * overlap; then the bytes repeat. Returns the new end.
 */
export function copyBack(
  out: Buffer,
  { to, distance, size }: { readonly to: number; readonly distance: number; readonly size: number },
): number {
  for (let i = 0; i < size; i += 1) out[to + i] = out[to + i - distance] as number;
  return to + size;
}
