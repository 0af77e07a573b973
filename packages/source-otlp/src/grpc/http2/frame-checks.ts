import type { FrameHead } from './frame-reader.ts';
import { ConnectionFault, errorCode, MAX_FRAME_BYTES, MAX_WINDOW_BYTES, setting } from './protocol.ts';

/** Throws unless the frame is that long, and on the connection, or on a stream. */
export function checkFrame(
  { type, streamId, length }: FrameHead,
  expected: { readonly length: number; readonly onConnection: boolean },
): void {
  if (length !== expected.length) {
    throw new ConnectionFault(errorCode.frameSizeError, `frame of type ${type} with ${length} bytes`);
  }
  if ((streamId === 0) !== expected.onConnection) {
    throw new ConnectionFault(errorCode.protocolError, `frame of type ${type} on stream ${streamId}`);
  }
}

/** Throws when a client may not set that (RFC 9113, section 6.5.2). */
export function checkSetting(id: number, value: number): void {
  if (id === setting.enablePush && value > 1) {
    throw new ConnectionFault(errorCode.protocolError, `push setting ${value}`);
  }
  if (id === setting.maxFrameSize && (value < MAX_FRAME_BYTES || value >= 2 ** 24)) {
    throw new ConnectionFault(errorCode.protocolError, `frames of ${value} bytes`);
  }
  if (id === setting.initialWindowSize && value > MAX_WINDOW_BYTES) {
    throw new ConnectionFault(errorCode.flowControlError, `window of ${value} bytes`);
  }
}
