import {
  type ContentEncoding,
  encodingProblem,
  InflateError,
  inflateNow,
  MessageReader,
  type MessageSink,
} from '@levada/grpc-wire';
import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';

/** Where the messages of a call go. */
export interface InboundOptions {
  readonly maxMessageBytes: number;
  /** How flagged messages are compressed: `grpc-encoding`. */
  readonly encoding: string;
  readonly onMessage: (message: Uint8Array) => void;
  readonly onOversized: (bytes: number) => void;
}

/** Compressed messages that are read; `grpc-accept-encoding` says so. */
export const readableByClient: readonly ContentEncoding[] = ['gzip', 'deflate'];

/** The most that a length which was only announced makes us allocate at once. */
const FIRST_BYTES = 16 * 1024 * 1024;
/** Lengths above this and above 16 times the limit are no messages, but lies or text. */
const ABSURD_BYTES = 64 * 1024 * 1024;

/** Reads the messages of an answer: inflates them, and skips those above the limit without keeping them. */
export class InboundMessages implements MessageSink {
  readonly viewBytes: number;
  readonly firstBytes: number = FIRST_BYTES;
  readonly onMessage: (message: Uint8Array) => void;
  readonly #options: InboundOptions;
  readonly #reader: MessageReader = new MessageReader(this);
  #fault: GrpcStatus | undefined;

  constructor(options: InboundOptions) {
    this.#options = options;
    this.viewBytes = options.maxMessageBytes;
    this.onMessage = options.onMessage;
  }

  /** Set once the bytes are invalid. Nothing more can be read then. */
  get fault(): GrpcStatus | undefined {
    return this.#fault;
  }

  /** See {@link MessageReader}. */
  get partial(): boolean {
    return this.#reader.partial;
  }

  get halted(): boolean {
    return this.#reader.halted;
  }

  set halted(halted: boolean) {
    this.#reader.halted = halted || this.#fault !== undefined;
  }

  read(chunk: Buffer): number {
    return this.#reader.read(chunk);
  }

  onPrefix(flag: number, length: number): boolean {
    const { maxMessageBytes, encoding, onOversized } = this.#options;
    if (length > Math.max(16 * maxMessageBytes, ABSURD_BYTES)) {
      const limit = `grpc.max.inbound.message.size is ${maxMessageBytes}`;
      const status = localStatus('RESOURCE_EXHAUSTED', `message of ${length} bytes announced, ${limit}`);
      return this.#fail({ ...status, exhausted: 'message_too_large' });
    }
    if (length > maxMessageBytes && flag <= 1) {
      onOversized(length);
      return false;
    }
    const problem = encodingProblem(flag, encoding, readableByClient);
    return problem === undefined || this.#fail(localStatus(problem.code, problem.message));
  }

  onHeld(): boolean {
    return true;
  }

  onCompressed(payload: Buffer): void {
    const { maxMessageBytes, encoding, onOversized } = this.#options;
    let message: Uint8Array;
    try {
      message = inflateNow(payload, encoding as ContentEncoding, maxMessageBytes);
    } catch (error) {
      if (!(error instanceof InflateError)) throw error;
      if (error.reason === 'too_large') onOversized(maxMessageBytes + 1);
      else this.#fail(localStatus('INTERNAL', error.message, error.cause));
      return;
    }
    this.onMessage(message);
  }

  #fail(status: GrpcStatus): false {
    this.#fault = status;
    this.#reader.stop();
    return false;
  }
}
