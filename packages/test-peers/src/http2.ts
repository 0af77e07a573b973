export type { Frame, FrameOptions, FrameType } from './http2-frames.ts';
export {
  ACK,
  dataFrame,
  END_HEADERS,
  END_STREAM,
  frameOf,
  frameReader,
  frameTypes,
  goawayFrame,
  headerBlock,
  headersFrame,
  PREFACE,
  prefixed,
  resetFrame,
  settingsFrame,
  windowFrame,
} from './http2-frames.ts';
export type { RawClient } from './raw-http2-client.ts';
export { exportHeaders, opening, rawClient } from './raw-http2-client.ts';
