import type { ClientSessionOptions } from 'node:http2';

/** Receive window of one call. The default of 64 KiB costs a factor of 1.3 to 2.3 on loopback, and more over distance. */
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;

/** Receive window of the connection: one call that is held up must not hold up the others. */
export const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;

/**
 * Far above what is accepted of headers ({@link HeaderLimit}), and above what fits into the frames that nghttp2 takes for
 * them. Node resets a stream that reaches its limit without saying that it did so itself, and may abort the whole process
 * later, when it frees the session before the stream (https://github.com/nodejs/node/issues/39951).
 */
const UNREACHED_HEADER_FIELDS = 2 ** 20;

/** Options that Node takes for clients, too, and that its typings leave out there. */
interface LaterOptions {
  readonly maxSessionInvalidFrames: number;
  readonly strictSingleValueFields: boolean;
  readonly strictFieldWhitespaceValidation: boolean;
}

/** How the HTTP/2 session is made: wide windows, and a bound for whatever a server may send. */
export const sessionOptions: ClientSessionOptions & LaterOptions = {
  settings: {
    enablePush: false,
    initialWindowSize: STREAM_WINDOW_BYTES,
  },
  maxHeaderListPairs: UNREACHED_HEADER_FIELDS,
  maxReservedRemoteStreams: 0,
  // In megabytes. Above it Node refuses new streams, so that it must hold whatever the windows let in.
  maxSessionMemory: 64,
  maxOutstandingPings: 10,
  maxSettings: 32,
  // Counted over the whole life of a connection, and empty DATA frames count: some servers send them now and then.
  maxSessionInvalidFrames: 100_000,
  // Metadata may repeat a name.
  strictSingleValueFields: false,
  // Otherwise Node drops a field whose value ends in a blank, and a status loses its whole message.
  strictFieldWhitespaceValidation: false,
};
