import type { UnaryAnswer, UnaryMethod } from './unary-call.ts';

const MAX_BYTES = 16 * 1024;
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
