import type { UnaryAnswer, UnaryMethod } from './unary-call.ts';

/** Nothing is counted for these calls, so that all that a client can have open must be little. */
const MAX_BYTES = 1024;
const nothing = (): void => undefined;

/** A call with a small request that is answered at once and counted nowhere. */
export function smallMethod(take: (request: Uint8Array) => UnaryAnswer): UnaryMethod {
  return {
    maxRequestBytes: MAX_BYTES,
    maxCompressedBytes: MAX_BYTES,
    hold: () => true,
    take,
    refused: nothing,
    release: nothing,
  };
}
