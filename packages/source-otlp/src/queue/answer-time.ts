/** Kept for the way back to the client. */
const MARGIN_MS = 500;

/**
 * Milliseconds after which a client is answered at the latest: `otlp.ack.timeout.ms`, or sooner when it gives up sooner. At least
 * 1, and with a quarter of a short deadline left for the way back.
 */
export function answerTime(ackTimeoutMs: number, clientTimeoutMs: number | undefined): number {
  if (clientTimeoutMs === undefined) return ackTimeoutMs;
  const inTime = clientTimeoutMs - Math.min(MARGIN_MS, clientTimeoutMs / 4);
  return Math.max(1, Math.min(ackTimeoutMs, Math.floor(inTime)));
}
