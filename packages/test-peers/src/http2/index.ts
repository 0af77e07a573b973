export type { Frame, FrameOptions, FrameType } from './frames.ts';
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
} from './frames.ts';
export type { RawClient } from './raw-client.ts';
export { exportHeaders, opening, rawClient } from './raw-client.ts';
