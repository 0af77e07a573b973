const SEED = 0x9747b28c;
const MIX = 0x5bd1e995;

/** The 32-bit murmur2 hash of Kafka's Java clients (`org.apache.kafka.common.utils.Utils.murmur2`). */
export function murmur2(data: Uint8Array): number {
  const { length } = data;
  let hash = SEED ^ length;
  const whole = length & ~3;
  for (let at = 0; at < whole; at += 4) {
    let word =
      byte(data, at) | (byte(data, at + 1) << 8) | (byte(data, at + 2) << 16) | (byte(data, at + 3) << 24);
    word = Math.imul(word, MIX);
    word ^= word >>> 24;
    hash = Math.imul(hash, MIX) ^ Math.imul(word, MIX);
  }
  if (length > whole) {
    for (let at = length - 1; at >= whole; at -= 1) hash ^= byte(data, at) << ((at - whole) * 8);
    hash = Math.imul(hash, MIX);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, MIX);
  return hash ^ (hash >>> 15);
}

/** The partition that Kafka's default partitioner gives a key: what every adapter does with records that name none. */
export function partitionOfKey(key: Uint8Array, partitions: number): number {
  return partitions === 1 ? 0 : (murmur2(key) & 0x7fffffff) % partitions;
}

function byte(data: Uint8Array, at: number): number {
  return data[at] as number;
}
