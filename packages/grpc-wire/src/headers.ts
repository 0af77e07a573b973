// Values of gRPC's headers and trailers (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).

/** Maximum size of a `grpc-message`, in bytes before encoding. Some clients refuse headers above 8 KiB. */
const MAX_MESSAGE_BYTES = 1024;
const PERCENT = 0x25;

/** Encodes a text as `grpc-message`: UTF-8, percent-encoded except for printable ASCII other than `%`. Cuts it off at 1 KiB. */
export function encodeStatusMessage(text: string): string {
  if (text.length <= MAX_MESSAGE_BYTES && /^[\x20-\x24\x26-\x7e]*$/.test(text)) return text;
  let encoded = '';
  for (const byte of Buffer.from(text).subarray(0, MAX_MESSAGE_BYTES)) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== PERCENT;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/**
 * Decodes `grpc-message`: percent-decoded UTF-8. As the protocol demands, broken escapes are kept and invalid UTF-8 becomes
 * U+FFFD. The text is cut off at 1 KiB.
 */
export function decodeStatusMessage(header: string): string {
  // Node reads header values as Latin-1, byte by byte.
  const encoded = Buffer.from(header.slice(0, 3 * MAX_MESSAGE_BYTES), 'latin1');
  const decoded = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    const byte = encoded[at] === PERCENT ? escapedByte(encoded, at) : undefined;
    decoded[length] = byte ?? encoded[at] ?? 0;
    length += 1;
    if (byte !== undefined) at += 2;
  }
  const cut = length > MAX_MESSAGE_BYTES || header.length > 3 * MAX_MESSAGE_BYTES;
  return decoded.toString('utf8', 0, Math.min(length, MAX_MESSAGE_BYTES)) + (cut ? '...' : '');
}

function escapedByte(encoded: Buffer, at: number): number | undefined {
  const digits = encoded.toString('latin1', at + 1, at + 3);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

/** Encodes the value of a header whose name ends in `-bin`: Base64 without padding. */
export function binaryHeader(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64').replace(/=+$/, '');
}

const unitsInMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** `grpc-timeout` in milliseconds, with fractions. It has at most eight digits and a unit. Undefined if malformed. */
export function timeoutMs(header: string): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(header);
  const unit = unitsInMs[match?.[2] ?? ''];
  return unit === undefined ? undefined : Number(match?.[1]) * unit;
}
