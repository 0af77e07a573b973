/** Longest message that is kept, in bytes. */
const MAX_BYTES = 1024;
const PERCENT = 0x25;

/**
 * `grpc-message` as text: percent-decoded and read as UTF-8. Broken escapes stay as they are and bytes that are no UTF-8 become
 * U+FFFD, as the protocol wants it; what exceeds 1 KiB is cut.
 */
export function statusMessage(header: string): string {
  // Node reads header values as Latin-1, byte by byte.
  const encoded = Buffer.from(header.slice(0, 3 * MAX_BYTES), 'latin1');
  const decoded = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    const byte = encoded[at] === PERCENT ? escapedByte(encoded, at) : undefined;
    decoded[length] = byte ?? encoded[at] ?? 0;
    length += 1;
    if (byte !== undefined) at += 2;
  }
  const cut = length > MAX_BYTES || header.length > 3 * MAX_BYTES;
  return decoded.toString('utf8', 0, Math.min(length, MAX_BYTES)) + (cut ? '...' : '');
}

function escapedByte(encoded: Buffer, at: number): number | undefined {
  const digits = encoded.toString('latin1', at + 1, at + 3);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}
