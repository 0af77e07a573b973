import { encodeFields, framed } from '@levada/grpc-wire';
import type { ExportIntake, ExportRequest } from '../admission/export-intake.ts';
import type { Acceptance, ExportOutcome, Refusal } from '../admission/export-outcome.ts';
import { refusalStatus } from './grpc-status.ts';
import type { UnaryAnswer, UnaryMethod } from './unary-call.ts';

/** What exports may be, and whom they are handed to. */
export interface ExportTarget {
  readonly intake: ExportIntake;
  readonly maxRequestBytes: number;
  readonly maxCompressedBytes: number;
}

/** One admitted export. */
export class ExportMethod implements UnaryMethod {
  readonly maxRequestBytes: number;
  readonly maxCompressedBytes: number;
  readonly #intake: ExportIntake;
  readonly #request: ExportRequest;

  constructor({ intake, maxRequestBytes, maxCompressedBytes }: ExportTarget, request: ExportRequest) {
    this.#intake = intake;
    this.#request = request;
    this.maxRequestBytes = maxRequestBytes;
    this.maxCompressedBytes = maxCompressedBytes;
  }

  reserve(bytes: number): boolean {
    return this.#request.reserve(bytes);
  }

  handle(message: Uint8Array): UnaryAnswer | Promise<UnaryAnswer> {
    const outcome = this.#request.submit(message, 'protobuf');
    return outcome instanceof Promise ? outcome.then(encodeOutcome) : encodeOutcome(outcome);
  }

  countRefusal(refusal: Refusal): void {
    this.#intake.countRefusal(refusal);
  }

  release(): void {
    this.#request.release();
  }
}

function encodeOutcome(outcome: ExportOutcome): UnaryAnswer {
  return outcome.kind === 'accepted' ? encodeResponse(outcome) : refusalStatus(outcome);
}

/**
 * The answer to an export that was taken, framed. The four messages ExportTraceServiceResponse and so on have the same fields:
 * `partial_success` = 1, with the count = 1 and `error_message` = 2.
 */
function encodeResponse({ partial }: Acceptance): Buffer {
  if (partial === undefined) return emptyResponse;
  const counted = encodeFields([
    [1, partial.rejected],
    [2, partial.message],
  ]);
  return framed(encodeFields([[1, counted]]));
}

const emptyResponse = framed(new Uint8Array());
