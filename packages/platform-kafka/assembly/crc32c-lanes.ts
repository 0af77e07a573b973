// AssemblyScript (https://www.assemblyscript.org), compiled to WebAssembly by tools/assembly/generate.mjs: CRC-32C in sixteen
// lanes. A piece has sixteen segments, one for each lane of a 128-bit register. All segments are processed at once, byte by byte,
// without table lookups in memory: a byte is two numbers of four bits, and a table of sixteen bytes fits into a register, where
// one `relaxed_swizzle` serves all lanes. A checksum has four bytes, so a step takes eight of these.

/** Bytes of a segment. src/wire/crc32c-lanes.ts has the same number. */
const LANE_BYTES: usize = 1024;
/** After the piece: the first bytes of the checksums of all lanes, then the second bytes, and so on. */
const STATES: usize = 16 * LANE_BYTES;
/** For each byte of a checksum, the contribution of the lower half of a byte, then that of the upper half. */
const TABLES: usize = STATES + 64;
/** Sixteen bytes of each segment as sixteen rows: all first bytes, all second ones, and so on. */
const ROWS: usize = TABLES + 128;
/** Result of two of the four interleaving steps. */
const HALFWAY: usize = ROWS + 256;
/** Castagnoli's polynomial, reflected. */
const POLYNOMIAL: u32 = 0x82f63b78;

/** The remainder of a byte that leaves a checksum. */
function remainder(byte: u32): u32 {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
}

/** Writes the tables. Constants of the source would be loaded again in each step. Call once, before any other function. */
export function begin(): void {
  for (let byte: usize = 0; byte < 4; byte++) {
    for (let n: usize = 0; n < 16; n++) {
      const at = TABLES + 32 * byte + n;
      store<u8>(at, remainder(<u32>n) >>> (8 * <u32>byte));
      store<u8>(at, remainder((<u32>n) << 4) >>> (8 * <u32>byte), 16);
    }
  }
}

function low(one: v128, other: v128): v128 {
  return i8x16.shuffle(one, other, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

function high(one: v128, other: v128): v128 {
  return i8x16.shuffle(one, other, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** Interleaves sixteen rows twice: every fourth row becomes one of four adjacent rows. */
function interleave(from: usize, apart: usize, to: usize): void {
  for (let k: usize = 0; k < 4; k++) {
    const at = from + k * apart;
    const one = v128.load(at);
    const two = v128.load(at + 4 * apart);
    const three = v128.load(at + 8 * apart);
    const four = v128.load(at + 12 * apart);
    const lows = low(one, three);
    const highs = high(one, three);
    const otherLows = low(two, four);
    const otherHighs = high(two, four);
    const rows = to + 64 * k;
    v128.store(rows, low(lows, otherLows));
    v128.store(rows, high(lows, otherLows), 16);
    v128.store(rows, low(highs, otherHighs), 32);
    v128.store(rows, high(highs, otherHighs), 48);
  }
}

function look(lowerTable: v128, lower: v128, upperTable: v128, upper: v128): v128 {
  return v128.xor(i8x16.relaxed_swizzle(lowerTable, lower), i8x16.relaxed_swizzle(upperTable, upper));
}

/** Continues the checksums at STATES, each over its segment of the piece. */
export function run(): void {
  const lower0 = v128.load(TABLES);
  const upper0 = v128.load(TABLES, 16);
  const lower1 = v128.load(TABLES, 32);
  const upper1 = v128.load(TABLES, 48);
  const lower2 = v128.load(TABLES, 64);
  const upper2 = v128.load(TABLES, 80);
  const lower3 = v128.load(TABLES, 96);
  const upper3 = v128.load(TABLES, 112);
  let crc0 = v128.load(STATES);
  let crc1 = v128.load(STATES, 16);
  let crc2 = v128.load(STATES, 32);
  let crc3 = v128.load(STATES, 48);
  for (let at: usize = 0; at < LANE_BYTES; at += 16) {
    interleave(at, LANE_BYTES, HALFWAY);
    interleave(HALFWAY, 16, ROWS);
    for (let row: usize = ROWS; row < ROWS + 256; row += 16) {
      const leaving = v128.xor(crc0, v128.load(row));
      const lower = v128.and(leaving, i8x16.splat(15));
      const upper = i8x16.shr_u(leaving, 4);
      crc0 = v128.xor(crc1, look(lower0, lower, upper0, upper));
      crc1 = v128.xor(crc2, look(lower1, lower, upper1, upper));
      crc2 = v128.xor(crc3, look(lower2, lower, upper2, upper));
      crc3 = look(lower3, lower, upper3, upper);
    }
  }
  v128.store(STATES, crc0);
  v128.store(STATES, crc1, 16);
  v128.store(STATES, crc2, 32);
  v128.store(STATES, crc3, 48);
}
