/** For a TLS handshake. In milliseconds. */
export const HANDSHAKE_MS = 10_000;
/** From the headers of a call to the end of its request. */
export const REQUEST_MS = 30_000;
/** Between two questions of one reflection call. */
export const REFLECTION_IDLE_MS = 30_000;
/** Between two looks at what takes too long: every limit is exceeded by at most that. */
export const SWEEP_MS = 1000;
