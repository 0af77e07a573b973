import type { RandomSource } from './random-source.ts';
import { append, type Bytes, EGROUP, LEN, putTag, putVarint, SGROUP } from './wire-bytes.ts';

/** Mutates a message as broken or hostile peers would. `others` are messages to take pieces from. */
export function mutate(
  wire: Uint8Array,
  others: readonly Uint8Array[],
  random: RandomSource,
): Uint8Array<ArrayBuffer> {
  const bytes: Bytes = [...wire];
  for (let count = 1 + random.below(3); count > 0; count -= 1) random.pick(MUTATIONS)(bytes, random, others);
  return Uint8Array.from(bytes);
}

type Mutation = (bytes: Bytes, random: RandomSource, others: readonly Uint8Array[]) => void;

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => {
    bytes.length = random.below(bytes.length + 1); // truncated
  },
  (bytes, random) => {
    for (let count = 1 + random.below(8); count > 0 && bytes.length > 0; count -= 1) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
    }
  },
  (bytes, random) => {
    if (bytes.length > 0) bytes[random.below(bytes.length)] = random.pick(TELLING);
  },
  (bytes, random, others) => {
    const other = random.pick(others);
    const from = random.below(other.length + 1);
    const piece = other.subarray(from, from + random.below(200));
    bytes.splice(random.below(bytes.length + 1), random.below(20), ...piece);
  },
  (bytes, random) => {
    bytes.splice(random.below(bytes.length + 1), random.below(10)); // a hole
  },
  (bytes, random) => {
    const noise = Array.from({ length: random.below(16) }, () => random.bits() & 255);
    bytes.splice(random.below(bytes.length + 1), 0, ...noise);
  },
  (bytes, random) => {
    const length: Bytes = []; // another length, where a length may be
    putVarint(
      length,
      random.pick([0, 1, 127, 128, 65_535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53, 2n ** 64n - 1n]),
    );
    bytes.splice(random.below(bytes.length + 1), 1, ...length);
  },
  (bytes, random) => {
    const from = random.below(bytes.length + 1);
    append(bytes, bytes.slice(from, from + random.below(300))); // a piece twice
  },
  (bytes, random) => {
    const group: Bytes = [];
    const number = 1 + random.below(random.pick([20, 2 ** 29 - 1]));
    for (let depth = random.pick([1, 5, 99, 101, 400]); depth > 0; depth -= 1) putTag(group, number, SGROUP);
    if (random.chance(0.5)) putTag(group, number, EGROUP);
    bytes.splice(random.below(bytes.length + 1), 0, ...group);
  },
];

/** Bytes with the most meaning: ends of varints, tags of groups, lengths, ends of ranges, quotes. */
const TELLING = [0, 1, 2, 10, 0x0b, 0x0c, 0x22, 0x5c, 0x7f, 0x80, 0xc0, 0xed, 0xf4, 0xfe, 0xff];

/** A length-delimited field, and the content of its message before it. */
export interface Step {
  readonly number: number;
  readonly before?: Bytes;
}

/** Repeats the steps `depth` times, each inside the previous one. The innermost message is empty. */
export function deeplyNested(steps: readonly Step[], depth: number): Uint8Array<ArrayBuffer> {
  const headers: Bytes[] = [];
  let size = 0;
  for (let level = depth * steps.length - 1; level >= 0; level -= 1) {
    const { number, before = [] } = steps[level % steps.length] as Step;
    const header: Bytes = [...before];
    putTag(header, number, LEN);
    putVarint(header, size);
    size += header.length;
    headers.push(header);
  }
  return Uint8Array.from(headers.reverse().flat());
}

/** Opens `depth` groups, and closes them if `closed`. */
export function deeplyGrouped(number: number, depth: number, closed: boolean): Uint8Array<ArrayBuffer> {
  const open: Bytes = [];
  const close: Bytes = [];
  for (let level = 0; level < depth; level += 1) {
    putTag(open, number, SGROUP);
    if (closed) putTag(close, number, EGROUP);
  }
  return Uint8Array.from([...open, ...close]);
}
