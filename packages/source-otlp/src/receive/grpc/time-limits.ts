/** From the connection to the client's HTTP/2 settings, TLS handshake apart; also for headers that come piece by piece. In milliseconds. */
export const HEADERS_MS = 10_000;
/** For a TLS handshake. */
export const HANDSHAKE_MS = 10_000;
/** From the headers of a call to the end of its request. */
export const REQUEST_MS = 30_000;
/** For an answer to be read by its client; then the connection is cut. */
export const ANSWER_MS = 30_000;
/** Between two questions of one reflection call. */
export const REFLECTION_IDLE_MS = 30_000;
/** From the connection to its first call. */
export const UNUSED_MS = 30_000;
/** Without calls, after the first; clients keep connections open between exports. What other servers of gRPC grant. */
export const IDLE_MS = 30 * 60_000;
/** For the client to close its side of a connection that was ended. */
export const LINGER_MS = 250;
/** Between two looks at what takes too long: every limit is exceeded by at most that. */
export const SWEEP_MS = 1000;
