// Writers for the few fixed messages of this folder (https://protobuf.dev/programming-guides/encoding/). A field that has its
// default value is left out.

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** A varint field. `value` is a non-negative safe integer. */
export function varintField(number: number, value: number): Uint8Array {
  return value === 0 ? nothing : Uint8Array.from([...varint(number * 8 + VARINT), ...varint(value)]);
}

/** A field of type string, bytes or message, also when it is empty. */
export function bytesField(number: number, value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([
    Uint8Array.from([...varint(number * 8 + LENGTH_DELIMITED), ...varint(bytes.length)]),
    bytes,
  ]);
}

/** A string field. */
export function stringField(number: number, value: string): Uint8Array {
  return value === '' ? nothing : bytesField(number, value);
}

const nothing = new Uint8Array();

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  // No shifts: they are limited to 32 bits.
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return bytes;
}
