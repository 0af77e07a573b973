import type { GrpcStatus } from '../model/grpc-status.ts';

/** Longest piece of a body that a status tells, in bytes. */
const MAX_BYTES = 256;

/** The beginning of an answer that is not from a gRPC server: it often says what is wrong. */
export class ForeignBody {
  readonly #status: GrpcStatus;
  readonly #bytes = Buffer.alloc(MAX_BYTES);
  #length = 0;

  constructor(status: GrpcStatus) {
    this.#status = status;
  }

  /** Returns whether enough was read. */
  append(chunk: Uint8Array): boolean {
    const piece = chunk.subarray(0, MAX_BYTES - this.#length);
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
    return this.#length === MAX_BYTES;
  }

  /** The status with what was read of the body. */
  status(): GrpcStatus {
    const text = this.#bytes.toString('utf8', 0, this.#length).trim();
    if (text === '') return this.#status;
    return { ...this.#status, message: `${this.#status.message}: "${text}"` };
  }
}
