/** Longest text that is sent, in bytes before they are encoded: headers are small, and some clients refuse more than 8 KiB. */
const MAX_BYTES = 1024;
const PERCENT = 0x25;

/**
 * A text as `grpc-message`: UTF-8, percent-encoded but for printable ASCII, and `%` itself
 * (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md, "Status-Message"). What exceeds 1 KiB is cut.
 */
export function grpcMessage(text: string): string {
  if (text.length <= MAX_BYTES && /^[\x20-\x24\x26-\x7e]*$/.test(text)) return text;
  let encoded = '';
  for (const byte of Buffer.from(text).subarray(0, MAX_BYTES)) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== PERCENT;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
