import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';

/** Longest headers or trailers taken from the server, uncompressed. */
const MAX_BYTES = 64 * 1024;
const MAX_FIELDS = 256;

/** What a field costs beside its name and value (RFC 9113, section 6.5.2). */
const FIELD_BYTES = 32;

/** The end of a call whose headers or trailers are longer than is accepted; `detail` says how long they are. */
export function headersTooLarge(detail: string): GrpcStatus {
  const text = `the response headers exceed the limit of ${MAX_FIELDS} fields or ${MAX_BYTES} bytes: ${detail}`;
  return localStatus('RESOURCE_EXHAUSTED', text);
}

/** How a call ends because of its headers or trailers; undefined when they are within the limit. `raw` are names and values in turn. */
export function headersProblem(raw: readonly string[]): GrpcStatus | undefined {
  const fields = raw.length / 2;
  const bytes = raw.reduce((sum, text) => sum + text.length, fields * FIELD_BYTES);
  if (fields <= MAX_FIELDS && bytes <= MAX_BYTES) return undefined;
  return headersTooLarge(`${fields} fields, ${bytes} bytes`);
}
