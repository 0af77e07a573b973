import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';

/** Most headers and trailers taken from the server in one call, uncompressed, informational (1xx) responses included. */
const MAX_BYTES = 64 * 1024;
const MAX_FIELDS = 256;

/** Size of a field in addition to its name and value (RFC 9113, section 6.5.2). */
const FIELD_BYTES = 32;

/** The end of a call whose headers or trailers are longer than is accepted; `detail` says how long they are. */
export function headersTooLarge(detail: string): GrpcStatus {
  const text = `the response headers exceed the limit of ${MAX_FIELDS} fields or ${MAX_BYTES} bytes: ${detail}`;
  return { ...localStatus('RESOURCE_EXHAUSTED', text), exhausted: 'headers_too_large' };
}

/** The headers and trailers of one call against the limit. A server may send any number of 1xx responses before the final one. */
export class HeaderLimit {
  #fields = 0;
  #bytes = 0;
  #informational = 0;

  /** Counts a header block; `raw` are names and values in turn. Returns how the call ends because of it; undefined within the limit. */
  count(raw: readonly string[], kind: 'informational' | 'final'): GrpcStatus | undefined {
    const fields = raw.length / 2;
    this.#fields += fields;
    this.#bytes += raw.reduce((sum, text) => sum + text.length, fields * FIELD_BYTES);
    if (kind === 'informational') this.#informational += 1;
    if (this.#fields <= MAX_FIELDS && this.#bytes <= MAX_BYTES) return undefined;
    const responses = this.#informational === 0 ? '' : ` in ${this.#informational} informational responses`;
    return headersTooLarge(`${this.#fields} fields, ${this.#bytes} bytes${responses}`);
  }
}
