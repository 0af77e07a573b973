import { wasm } from './gen/crc32c-lanes.ts';

const LANES = 16;
/** Size of one lane's segment. assembly/crc32c-lanes.ts has the same number. */
const LANE_BYTES = 1024;

/** Size of a piece: a segment for each lane of a 128-bit register. */
export const PIECE_BYTES: number = LANES * LANE_BYTES;

/** Continues a checksum, without the final inversion, over {@link PIECE_BYTES} bytes. */
export type PieceChecksum = (crc: number, piece: Uint8Array) => number;

/** The part of WebAssembly used here; its types belong to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (compiled: object) => { readonly exports: unknown };
};

/**
 * The module's exports: sixteen checksums, each over its segment of the memory, with states after all segments; see
 * assembly/crc32c-lanes.ts.
 */
interface LaneModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly begin: (this: void) => void;
  readonly run: (this: void) => void;
}

/**
 * CRC-32C in WebAssembly, three times as fast as tables in JavaScript. `table` has the remainder of each byte. Undefined if the
 * engine lacks WebAssembly, memory or 128-bit instructions.
 */
export function createPieceChecksum(table: Int32Array): PieceChecksum | undefined {
  const lanes = instantiate();
  if (lanes === undefined) return undefined;
  const memory = new Uint8Array(lanes.memory.buffer);
  const states = memory.subarray(PIECE_BYTES, PIECE_BYTES + 4 * LANES);
  const further = afterSegment(table);
  return (crc, piece) => {
    memory.set(piece);
    // The first segment continues the checksum, the others start from zero
    states.fill(0);
    for (let byte = 0; byte < 4; byte++) states[byte * LANES] = crc >>> (8 * byte);
    lanes.run();
    let joined = 0;
    for (let lane = 0; lane < LANES; lane++) joined = further(joined) ^ stateOf(states, lane);
    return joined;
  };
}

function instantiate(): LaneModule | undefined {
  try {
    const compiled = new WebAssembly.Module(Buffer.from(wasm.join(''), 'base64'));
    const lanes = new WebAssembly.Instance(compiled).exports as LaneModule;
    lanes.begin();
    return lanes;
  } catch {
    // Tables give the same result at a third of the speed
    return undefined;
  }
}

/** The four bytes of a checksum are apart: the first bytes of all lanes are adjacent. */
function stateOf(states: Uint8Array, lane: number): number {
  const byte = (index: number): number => states[index * LANES + lane] as number;
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
}

/** The checksum after a segment of zeros: the sum of its four bytes' remainders from the table. */
function afterSegment(table: Int32Array): (crc: number) => number {
  const bits = Array.from({ length: 32 }, (_, bit) => {
    let crc = 1 << bit;
    for (let zero = 0; zero < LANE_BYTES; zero++) crc = (crc >>> 8) ^ (table[crc & 255] as number);
    return crc;
  });
  const sums = Int32Array.from({ length: 4 * 256 }, (_, at) =>
    bits
      .slice((at >>> 8) * 8, (at >>> 8) * 8 + 8)
      .reduce((sum, of, bit) => ((at >>> bit) & 1 ? sum ^ of : sum), 0),
  );
  return (crc) =>
    (sums[crc & 255] as number) ^
    (sums[256 | ((crc >>> 8) & 255)] as number) ^
    (sums[512 | ((crc >>> 16) & 255)] as number) ^
    (sums[768 | (crc >>> 24)] as number);
}
