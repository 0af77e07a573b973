/**
 * Copies bytes from so far back in the output to its end, as LZ4 and snappy do for what repeats. The copy may overlap what it
 * writes: then those bytes repeat. Returns the new end.
 */
export function copyBack(
  out: Buffer,
  { to, distance, size }: { readonly to: number; readonly distance: number; readonly size: number },
): number {
  for (let i = 0; i < size; i += 1) out[to + i] = out[to + i - distance] as number;
  return to + size;
}
