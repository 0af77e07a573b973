import { ConnectorError } from '@levada/connect-runtime-core';

/** A longer answer means that the peer does not speak Kafka's protocol. */
const LONGEST_FRAME = 128 * 1024 * 1024;

/** Splits the bytes of a broker into responses: four bytes of length, then a correlation id and a payload. */
export class ResponseReader {
  readonly #onResponse: (correlationId: number, payload: Buffer) => void;
  #parts: Buffer[] = [];
  #have = 0;
  #need = 4;

  constructor(onResponse: (correlationId: number, payload: Buffer) => void) {
    this.#onResponse = onResponse;
  }

  /** Accepts the next bytes. Payloads are views of them; only a response in several pieces is copied. */
  push(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#have += bytes.length;
    if (this.#have < this.#need) return;
    const buffer = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts);
    const rest = buffer.subarray(this.#cut(buffer));
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#have = rest.length;
  }

  /** Returns the start of the first incomplete response. */
  #cut(buffer: Buffer): number {
    let at = 0;
    this.#need = 4;
    while (buffer.length - at >= 4) {
      const length = buffer.readInt32BE(at);
      if (length < 4 || length > LONGEST_FRAME) {
        throw new ConnectorError(
          'protocol_error',
          `the peer sent a response of ${length} bytes: no Kafka broker`,
        );
      }
      const end = at + 4 + length;
      if (end > buffer.length) {
        this.#need = 4 + length;
        break;
      }
      this.#onResponse(buffer.readInt32BE(at + 4), buffer.subarray(at + 8, end));
      at = end;
    }
    return at;
  }
}
