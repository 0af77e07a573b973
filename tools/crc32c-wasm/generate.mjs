// Writes the WebAssembly module that computes CRC-32C in sixteen lanes, for packages/platform-kafka. With --check it writes nothing, and
// fails when the file differs from what it would write.
//
// The module takes a piece of sixteen segments, one for each lane of a 128-bit register, and goes through all segments at once, byte by
// byte. It never looks into memory for a table: a byte is two numbers of four bits, and a table of sixteen bytes fits into a
// register, where one `swizzle` looks up all lanes. A checksum has four bytes, so that a step takes eight of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const file = 'packages/platform-kafka/src/wire/gen/crc32c-lanes.ts';
const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));

const LANES = 16;
const LANE_BYTES = 1024;
/** After the piece: the first bytes of the checksums of all lanes, then the second ones, and so on. */
const STATES = LANES * LANE_BYTES;
/** Castagnoli's polynomial, reflected. */
const POLYNOMIAL = 0x82f63b78;

const count = (n) => Array.from({ length: n }, (_, i) => i);
const get = (name) => `(local.get $${name})`;
const set = (name, value) => `(local.set $${name} ${value})`;
const xor = (one, other) => `(v128.xor ${one} ${other})`;
const bytes = (values) => `(v128.const i8x16 ${values.join(' ')})`;

/** What a byte becomes when it leaves a checksum. */
function remainder(byte) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc >>> 0;
}

/** One byte of the remainders of 0 to 15, times 16 for the upper half of a byte. */
const half = (byte, times) => bytes(count(16).map((n) => (remainder(n * times) >>> (8 * byte)) & 255));

/** Sixteen bytes of each segment, then made sixteen first, second, ... bytes: four times all rows are interleaved. */
function transposed() {
  const low = count(8).flatMap((k) => [k, k + 16]);
  const high = low.map((k) => k + 8);
  const load = count(LANES).map((k) => set(`row${k}`, `(v128.load offset=${k * LANE_BYTES} ${get('at')})`));
  const round = (from, to) =>
    count(8).flatMap((k) =>
      [low, high].map((order, odd) =>
        set(
          `${to}${2 * k + odd}`,
          `(i8x16.shuffle ${order.join(' ')} ${get(`${from}${k}`)} ${get(`${from}${k + 8}`)})`,
        ),
      ),
    );
  return [
    ...load,
    ...round('row', 'other'),
    ...round('other', 'row'),
    ...round('row', 'other'),
    ...round('other', 'row'),
  ];
}

/** One byte of every segment. */
function step(k) {
  const looked = (byte) =>
    xor(
      `(i8x16.relaxed_swizzle ${get(`low${byte}`)} ${get('lower')})`,
      `(i8x16.relaxed_swizzle ${get(`high${byte}`)} ${get('upper')})`,
    );
  return [
    set('leaving', xor(get('crc0'), get(`row${k}`))),
    set('lower', `(v128.and ${get('leaving')} ${get('mask')})`),
    set('upper', `(i8x16.shr_u ${get('leaving')} (i32.const 4))`),
    ...count(3).map((byte) => set(`crc${byte}`, xor(get(`crc${byte + 1}`), looked(byte)))),
    set('crc3', looked(3)),
  ];
}

function moduleText() {
  const names = [
    'leaving',
    'lower',
    'upper',
    'mask',
    ...count(4).flatMap((byte) => [`crc${byte}`, `low${byte}`, `high${byte}`]),
    ...count(LANES).flatMap((k) => [`row${k}`, `other${k}`]),
  ];
  const begin = count(4).flatMap((byte) => [
    set(`low${byte}`, half(byte, 1)),
    set(`high${byte}`, half(byte, 16)),
    set(`crc${byte}`, `(v128.load offset=${STATES + LANES * byte} (i32.const 0))`),
  ]);
  const end = count(4).map(
    (byte) => `(v128.store offset=${STATES + LANES * byte} (i32.const 0) ${get(`crc${byte}`)})`,
  );
  return `(module
(memory (export "memory") 1)
(func (export "run") (local $at i32)
${names.map((name) => `(local $${name} v128)`).join('\n')}
${set('mask', bytes(count(16).fill(15)))}
${begin.join('\n')}
(loop $next
${[...transposed(), ...count(16).flatMap(step)].join('\n')}
(br_if $next (i32.lt_u (local.tee $at (i32.add ${get('at')} (i32.const 16))) (i32.const ${LANE_BYTES}))))
${end.join('\n')}))`;
}

const toolkit = await wabt();
const parsed = toolkit.parseWat('crc32c-lanes.wat', moduleText(), { simd: true, relaxed_simd: true });
const { buffer } = parsed.toBinary({});
const text = `// Written by tools/crc32c-wasm/generate.mjs: do not change by hand.

/** Bytes of the segment of one lane. */
export const LANE_BYTES = ${LANE_BYTES};

/** The WebAssembly module, in base64. */
export const laneModule =
  '${Buffer.from(buffer).toString('base64')}';
`;
if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (readFileSync(path, 'utf8') !== text) {
  console.error(`${file} is not what tools/crc32c-wasm/generate.mjs writes: run "npm run generate"`);
  process.exitCode = 1;
}
