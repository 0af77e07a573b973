import type { Acceptance } from '../receiver/export-outcome.ts';
import { bytesField, stringField, varintField } from './encode-fields.ts';
import { framed } from './framed.ts';

/**
 * The answer to an export that was taken, framed. The four messages ExportTraceServiceResponse and so on have the same fields:
 * `partial_success` = 1, with the count = 1 and `error_message` = 2.
 */
export function exportResponse({ partial }: Acceptance): Buffer {
  if (partial === undefined) return emptyResponse;
  const counted = Buffer.concat([varintField(1, partial.rejected), stringField(2, partial.message)]);
  return framed(bytesField(1, counted));
}

const emptyResponse = framed(new Uint8Array());
