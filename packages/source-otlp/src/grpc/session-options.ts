import type { ServerSessionOptions } from 'node:http2';

/** Receive window of one call: an export of usual size comes without waiting for a window update. */
const STREAM_WINDOW_BYTES = 1024 * 1024;

/** Receive window of a connection. */
export const CONNECTION_WINDOW_BYTES = 4 * 1024 * 1024;

/** Calls that a client may have open at once on one connection. */
export const MAX_CONCURRENT_CALLS = 128;

/** How the HTTP/2 session is made: wide windows, and a bound for whatever a client may send. */
export const sessionOptions: ServerSessionOptions = {
  settings: {
    initialWindowSize: STREAM_WINDOW_BYTES,
    maxConcurrentStreams: MAX_CONCURRENT_CALLS,
    maxHeaderListSize: 16 * 1024,
  },
  maxHeaderListPairs: 128,
  // In megabytes; what is held of requests is not counted in it.
  maxSessionMemory: 10,
  maxOutstandingPings: 10,
  maxSettings: 32,
  maxSessionInvalidFrames: 1000,
  // Streams beyond the bound are refused; a client that goes on is cut.
  maxSessionRejectedStreams: 100,
};
