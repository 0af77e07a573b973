/** Length of what stands before each message: one byte that says whether it is compressed, four with its length. */
export const PREFIX_BYTES = 5;

/** An uncompressed message with its prefix (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(PREFIX_BYTES + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}
