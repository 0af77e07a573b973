// Bytes as JSON strings in base64 or hexadecimal. integers.ts explains `q`.

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const BASE64 = ascii('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
/** The two characters of each 12 bits as one little-endian 16-bit value. */
const BASE64_PAIRS = Uint16Array.from(
  { length: 4096 },
  (_, bits) => (BASE64[bits >> 6] as number) | ((BASE64[bits & 63] as number) << 8),
);
const HEX = ascii('0123456789abcdef');
/** The two hexadecimal digits of each byte as one little-endian 16-bit value. */
const HEX_PAIRS = Uint16Array.from(
  { length: 256 },
  (_, byte) => (HEX[byte >> 4] as number) | ((HEX[byte & 15] as number) << 8),
);

/** Standard base64 with padding. Needs 4 * ceil(n / 3) + 2 bytes of room. */
export function putBase64(
  src: Uint8Array,
  out: Uint8Array,
  view: DataView,
  i: number,
  n: number,
  q: number,
): number {
  const e = i + n;
  out[q++] = 34;
  for (; i + 2 < e; i += 3, q += 4) {
    const x = ((src[i] as number) << 16) | ((src[i + 1] as number) << 8) | (src[i + 2] as number);
    const pairs = (BASE64_PAIRS[x >> 12] as number) | ((BASE64_PAIRS[x & 4095] as number) << 16);
    view.setInt32(q, pairs, true);
  }
  if (i < e) {
    const two = i + 2 === e;
    const x = ((src[i] as number) << 8) | (two ? (src[i + 1] as number) : 0);
    out[q] = BASE64[x >> 10] as number;
    out[q + 1] = BASE64[(x >> 4) & 63] as number;
    out[q + 2] = two ? (BASE64[(x & 15) << 2] as number) : 61;
    out[q + 3] = 61;
    q += 4;
  }
  out[q] = 34;
  return q + 1;
}

/** Lower-case hexadecimal. Needs 2 n + 2 bytes of room. */
export function putHex(
  src: Uint8Array,
  out: Uint8Array,
  view: DataView,
  i: number,
  n: number,
  q: number,
): number {
  out[q++] = 34;
  for (const e = i + n; i < e; i++, q += 2) view.setUint16(q, HEX_PAIRS[src[i] as number] as number, true);
  out[q] = 34;
  return q + 1;
}
