import type { Admission, ExportIntake } from '../receiver/export-intake.ts';
import type { ExportOutcome, Refusal } from '../receiver/export-outcome.ts';
import { exportResponse } from './export-response.ts';
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
  readonly #admission: Admission;

  constructor({ intake, maxRequestBytes, maxCompressedBytes }: ExportTarget, admission: Admission) {
    this.#intake = intake;
    this.#admission = admission;
    this.maxRequestBytes = maxRequestBytes;
    this.maxCompressedBytes = maxCompressedBytes;
  }

  hold(bytes: number): boolean {
    return this.#admission.hold(bytes);
  }

  take(request: Uint8Array): UnaryAnswer | Promise<UnaryAnswer> {
    const outcome = this.#admission.take(request, 'protobuf');
    return outcome instanceof Promise ? outcome.then(answerOf) : answerOf(outcome);
  }

  refused(refusal: Refusal): void {
    this.#intake.refusedEarly(refusal);
  }

  release(): void {
    this.#admission.release();
  }
}

function answerOf(outcome: ExportOutcome): UnaryAnswer {
  return outcome.kind === 'accepted' ? exportResponse(outcome) : refusalStatus(outcome);
}
