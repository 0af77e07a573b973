import {
  ConnectionFault,
  errorCode,
  MAX_FRAME_BYTES,
  MAX_WINDOW_BYTES,
  setting,
  uint16,
  uint32,
} from '../frames/protocol.ts';

/** Bounds of a session, and what it keeps of requests. */
export interface SessionLimits {
  readonly maxStreams: number;
  /** Of one request, decoded. Encoded it may be four times as long, since what is encoded must be read to the end. */
  readonly maxHeaderBytes: number;
  /**
   * What a client may send without waiting, at least 65,535 each. Both are widened as soon as half is used, within the same chunk,
   * so that no frame can exceed them.
   */
  readonly streamWindowBytes: number;
  readonly connectionWindowBytes: number;
  /** Names, in lower case, of headers whose first value is kept. */
  readonly keptHeaders: ReadonlySet<string>;
  /** Names of headers of which every value is handed on. */
  readonly includedHeaders: ReadonlySet<string>;
}

/** Bounds for small calls: requests of usual size come at once. */
export const usualLimits: Omit<SessionLimits, 'keptHeaders' | 'includedHeaders'> = {
  maxStreams: 128,
  maxHeaderBytes: 16 * 1024,
  streamWindowBytes: 1024 * 1024,
  connectionWindowBytes: 4 * 1024 * 1024,
};

/** Payload of the SETTINGS with these bounds. */
export function settingsPayload({ maxStreams, streamWindowBytes, maxHeaderBytes }: SessionLimits): Buffer {
  const settings = [
    [setting.maxConcurrentStreams, maxStreams],
    [setting.initialWindowSize, streamWindowBytes],
    [setting.maxHeaderListSize, maxHeaderBytes],
  ] as const;
  return Buffer.concat(settings.flatMap(([id, value]) => [uint16(id), uint32(value)]));
}

/** Checks the SETTINGS of a client, and returns the window of new streams; undefined when it says nothing of it. */
export function readInitialWindow(payload: Buffer): number | undefined {
  let window: number | undefined;
  for (let at = 0; at < payload.length; at += 6) {
    const [id, value] = [payload.readUInt16BE(at), payload.readUInt32BE(at + 2)];
    checkSetting(id, value);
    if (id === setting.initialWindowSize) window = value;
  }
  return window;
}

/** Throws when a client may not set that (RFC 9113, section 6.5.2). */
function checkSetting(id: number, value: number): void {
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
