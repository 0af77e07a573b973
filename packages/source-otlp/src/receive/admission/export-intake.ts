import type { RequestMetadata } from '../../model/request-metadata.ts';
import type { SignalName } from '../../model/signals.ts';
import type { ExportOutcome, Refusal } from './export-outcome.ts';

/** What is known of an export before its body was read. */
export interface RequestHead {
  readonly signal: SignalName;
  readonly transport: 'grpc' | 'http';
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** The Host header or :authority. */
  readonly host: string | undefined;
  /** Address of the client, for rate limits. */
  readonly peer: string;
  /** Content-Length: what does not fit is refused unread, but no memory is set aside for it. */
  readonly declaredBytes: number | undefined;
  /** Milliseconds until the client gives up (`grpc-timeout`). */
  readonly timeoutMs: number | undefined;
  /** The headers that records are to carry. */
  readonly metadata?: RequestMetadata | undefined;
}

/** How a body is written. */
export type BodyForm = 'protobuf' | 'json';

/**
 * One admitted request. It counts against the limits of requests and bytes until {@link release}, which is called exactly
 * once, whatever happened.
 */
export interface ExportRequest {
  /**
   * Asked before the body is read, if reading can wait. Undefined: it may be read now. Otherwise there is no room for it in its
   * queue: the body is read when this settles, unless that is with a refusal, which is counted already. Never rejects.
   */
  waitForRoom(): Promise<Refusal | undefined> | undefined;
  /**
   * More of the body is in memory: `bytes` of it in all, before or after inflation. False when the limit of bytes is
   * reached: the request is refused as `unavailable`, and what was read of it forgotten.
   */
  reserve(bytes: number): boolean;
  /**
   * The whole body, inflated. Never throws or rejects. Answers at once where that is possible, otherwise before the client's
   * deadline. The body may be a view, and must not change or be read later. Called at most once.
   */
  submit(body: Uint8Array, form: BodyForm): ExportOutcome | Promise<ExportOutcome>;
  /** The request was answered, or its client is gone. */
  release(): void;
}

/** Where receivers bring exports, the same for both transports. Neither method throws. */
export interface ExportIntake {
  /** Called before the body is read. A refusal is answered without reading the body. */
  admit(head: RequestHead): ExportRequest | Refusal;
  /** Counts a refusal that was decided without {@link ExportRequest.submit}. Those of `admit` and `submit` are counted already. */
  countRefusal(refusal: Refusal): void;
}
