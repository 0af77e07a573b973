import type { SessionLimits } from './http2/settings.ts';

/** What a client may have open, and send without waiting: exports of usual size come at once. */
export const sessionLimits: Omit<SessionLimits, 'includedHeaders'> = {
  maxStreams: 128,
  maxHeaderBytes: 16 * 1024,
  streamWindowBytes: 1024 * 1024,
  connectionWindowBytes: 4 * 1024 * 1024,
};
