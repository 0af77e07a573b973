/** Parts of the wire format, appended to a list of bytes. No descriptors, no validation. */
export type Bytes = number[];

/** Wire types, by the name the standard gives them. */
export const VARINT = 0;
export const I64 = 1;
export const LEN = 2;
export const SGROUP = 3;
export const EGROUP = 4;
export const I32 = 5;

/** A varint of `value`'s 64 bits, `padding` bytes longer than necessary. */
export function putVarint(out: Bytes, value: bigint | number, padding = 0): void {
  if (typeof value === 'number' && value >= 0 && value <= 0x7fffffff) putSmall(out, value);
  else putWide(out, BigInt.asUintN(64, BigInt(value)));
  if (padding === 0) return;
  out[out.length - 1] = (out[out.length - 1] as number) | 0x80;
  for (let left = padding; left > 1; left -= 1) out.push(0x80);
  out.push(0);
}

function putSmall(out: Bytes, value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) out.push((rest & 127) | 128);
  out.push(rest);
}

function putWide(out: Bytes, value: bigint): void {
  let rest = value;
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  out.push(Number(rest));
}

export function varintSize(value: bigint | number): number {
  let size = 1;
  for (let rest = BigInt.asUintN(64, BigInt(value)); rest > 127n; rest >>= 7n) size += 1;
  return size;
}

export function putTag(out: Bytes, number: number, wireType: number, padding = 0): void {
  putVarint(out, number * 8 + wireType, padding);
}

const scratch = new DataView(new ArrayBuffer(8));

export function putFixed32(out: Bytes, value: number): void {
  out.push(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);
}

export function putFixed64(out: Bytes, value: bigint): void {
  scratch.setBigUint64(0, BigInt.asUintN(64, value), true);
  for (let at = 0; at < 8; at += 1) out.push(scratch.getUint8(at));
}

export function putFloat(out: Bytes, value: number): void {
  scratch.setFloat32(0, value, true);
  putFixed32(out, scratch.getUint32(0, true));
}

export function putDouble(out: Bytes, value: number): void {
  scratch.setFloat64(0, value, true);
  for (let at = 0; at < 8; at += 1) out.push(scratch.getUint8(at));
}

export function append(out: Bytes, bytes: ArrayLike<number>): void {
  for (let at = 0; at < bytes.length; at += 1) out.push(bytes[at] as number);
}
