/**
 * Names in the order in which a Java `HashMap` of 16 buckets hands them out. Kafka Connect writes partition maps in that
 * order, and the offsets topic compares keys byte by byte: with it, a Java worker finds our offsets and we overwrite its.
 */
export function javaHashOrder(names: readonly string[]): readonly string[] {
  return names
    .map((name, index) => ({ name, index, bucket: bucketOf(name, tableSize(names.length)) }))
    .sort((a, b) => a.bucket - b.bucket || a.index - b.index)
    .map(({ name }) => name);
}

/** A HashMap doubles its 16 buckets when it is filled to three quarters. */
function tableSize(count: number): number {
  let size = 16;
  while (count > size * 0.75) size *= 2;
  return size;
}

function bucketOf(name: string, size: number): number {
  let hash = 0;
  for (let i = 0; i < name.length; i += 1) hash = (Math.imul(31, hash) + name.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 16)) & (size - 1);
}
