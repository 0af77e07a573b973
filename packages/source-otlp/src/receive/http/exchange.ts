import { type ContentEncoding, InflateError } from '@levada/grpc-wire';
import type { ExportRequest } from '../admission/export-intake.ts';
import { type ExportOutcome, type Refusal, type RefusalReason, refuse } from '../admission/export-outcome.ts';
import { problemAnswer, successAnswer } from './answer.ts';
import { BodyChunks } from './body-chunks.ts';
import { type ExportHead, tooLarge } from './export-head.ts';
import { leave, type Underway } from './http-connection.ts';
import type { HttpCall } from './http-context.ts';
import { type Problem, problemOf } from './problem.ts';
import { answerUnread, linger, sendAnswer, sendWithOthers } from './send-answer.ts';

const noMemory = problemOf(refuse('unavailable', 'too many bytes of requests are held in memory'));
const notAnswered = problemOf(refuse('unavailable', 'the export could not be handled'));

const inflateReasons: Readonly<Record<InflateError['reason'], RefusalReason>> = {
  too_large: 'too_large',
  corrupt: 'invalid',
  busy: 'unavailable',
};

/** One admitted export: reads its body, hands it over, and answers. */
export class Exchange implements Underway {
  readonly #call: HttpCall;
  readonly #head: ExportHead;
  readonly #request: ExportRequest;
  #state: 'reading' | 'taken' | 'over' = 'reading';
  #held = true;
  readonly #chunks = new BodyChunks();
  #received = 0;

  constructor(call: HttpCall, head: ExportHead, request: ExportRequest) {
    this.#call = call;
    this.#head = head;
    this.#request = request;
  }

  get state(): 'reading' | 'taken' {
    return this.#state === 'reading' ? 'reading' : 'taken';
  }

  begin(): void {
    this.#call.connection.underway.push(this);
    const room = this.#request.waitForRoom();
    if (room === undefined) this.#readBody();
    else void room.then((refusal) => this.#continue(refusal));
  }

  /** Meanwhile nothing was read: Node stops reading from a socket when the body has no reader. */
  #continue(refusal: Refusal | undefined): void {
    if (this.#state === 'over') return;
    if (refusal === undefined) this.#readBody();
    else this.#answerUnread(problemOf(refusal));
  }

  #readBody(): void {
    const { request, response, waits } = this.#call;
    request.on('data', (chunk: Uint8Array) => this.#read(chunk));
    request.on('end', () => this.#end());
    if (waits) response.writeContinue();
  }

  abandon(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#giveBack();
  }

  fail(problem: Problem): void {
    if (!this.#finish()) return;
    this.#count(problem);
    linger(this.#call, problemAnswer(this.#head.form, problem));
  }

  #read(chunk: Uint8Array): void {
    if (this.#state !== 'reading') return;
    this.#received += chunk.length;
    if (this.#received > this.#head.wireLimit) this.#refuse(tooLarge(this.#head.wireLimit));
    else if (!this.#request.reserve(this.#received)) this.#refuse(noMemory);
    else this.#chunks.add(chunk);
  }

  #end(): void {
    if (this.#state !== 'reading') return;
    this.#state = 'taken';
    const body = this.#chunks.take();
    if (this.#head.encoding === undefined) this.#take(body);
    else this.#inflate(body, this.#head.encoding);
  }

  #inflate(body: Uint8Array, encoding: ContentEncoding): void {
    const { inflater, limits } = this.#call.context;
    try {
      const inflated = inflater.inflate(body, encoding, limits.maxRequestBytes);
      if (inflated instanceof Promise) {
        inflated
          .then((whole) => this.#takeInflated(whole))
          .catch((error: unknown) => this.#handleError(error));
      } else this.#takeInflated(inflated);
    } catch (error) {
      this.#handleError(error);
    }
  }

  #takeInflated(body: Uint8Array): void {
    if (this.#state === 'over') return;
    if (this.#request.reserve(body.length)) this.#take(body);
    else this.#refuse(noMemory);
  }

  #take(body: Uint8Array): void {
    const outcome = this.#request.submit(body, this.#head.form);
    if (outcome instanceof Promise) {
      outcome.then((settled) => this.#settle(settled)).catch((error: unknown) => this.#handleError(error));
    } else this.#settle(outcome);
  }

  /** What it held is free at once, also when its answer leaves a little later. */
  #settle(outcome: ExportOutcome): void {
    this.#giveBack();
    sendWithOthers(() => {
      // The answers to others leave also when this one cannot be written.
      try {
        this.#answer(outcome);
      } catch (error) {
        this.#handleError(error);
      }
    });
  }

  #answer(outcome: ExportOutcome): void {
    if (!this.#finish()) return;
    const { form, signal } = this.#head;
    const answer =
      outcome.kind === 'accepted'
        ? successAnswer(form, signal, outcome)
        : problemAnswer(form, problemOf(outcome));
    sendAnswer(this.#call, answer);
  }

  #handleError(error: unknown): void {
    if (error instanceof InflateError) {
      this.#refuse(problemOf(refuse(inflateReasons[error.reason], error.message)));
    } else {
      this.#call.context.onError(error instanceof Error ? error : new Error(String(error)));
      this.#refuse(notAnswered);
    }
  }

  /** Refused by the receiver itself, with or without its whole body. */
  #refuse(problem: Problem): void {
    if (this.#state === 'over') return;
    this.#count(problem);
    this.#answerUnread(problem);
  }

  #answerUnread(problem: Problem): void {
    const unread = (this.#head.declaredBytes ?? Number.POSITIVE_INFINITY) - this.#received;
    if (!this.#finish()) return;
    answerUnread(this.#call, problemAnswer(this.#head.form, problem), unread);
  }

  #count({ reason, message }: Problem): void {
    this.#call.context.intake.countRefusal(refuse(reason, message));
  }

  #giveBack(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#chunks.clear();
    this.#request.release();
  }

  /** False when it was answered or abandoned already. */
  #finish(): boolean {
    if (this.#state === 'over') return false;
    leave(this.#call.connection, this);
    this.abandon();
    return true;
  }
}
