const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** The 32-bit hash (murmur2) with which Kafka's Java clients choose the partition of a key. Signed. */
export function murmur2(key: Uint8Array): number {
  const { length } = key;
  const whole = length & ~3;
  let hash = SEED ^ length;
  for (let i = 0; i < whole; i += 4) {
    let word = Math.imul(
      byte(key, i) | (byte(key, i + 1) << 8) | (byte(key, i + 2) << 16) | (byte(key, i + 3) << 24),
      M,
    );
    word ^= word >>> 24;
    hash = Math.imul(hash, M) ^ Math.imul(word, M);
  }
  if (length > whole) {
    for (let i = length - 1; i > whole; i--) hash ^= byte(key, i) << (8 * (i - whole));
    hash = Math.imul(hash ^ byte(key, whole), M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}

/** The partition that Kafka's Java clients choose for a key. */
export function partitionOfKey(key: Uint8Array, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}

function byte(key: Uint8Array, at: number): number {
  return key[at] as number;
}
