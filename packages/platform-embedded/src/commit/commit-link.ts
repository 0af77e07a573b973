import { Worker } from 'node:worker_threads';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { CommitReply, CommitRequest, ThreadError } from '../model/commit-protocol.ts';

/** A failed request: the error, and the returned buffers. */
export interface FailedRequest {
  readonly kind: 'failed';
  readonly error: ConnectorError;
  /** Undefined if the thread ended; it is then unknown whether the request was executed. */
  readonly buffers: readonly ArrayBuffer[] | undefined;
}

export type RequestOutcome = Exclude<CommitReply, { kind: 'failed' }> | FailedRequest;

/** The main thread's end of the commit thread. Requests are answered in order. */
export class CommitLink {
  readonly #worker: Worker;
  readonly #waiting: ((outcome: RequestOutcome) => void)[] = [];
  readonly #whenEnded = Promise.withResolvers<ConnectorError>();
  #holders = 0;
  #ended: ConnectorError | undefined;

  constructor() {
    // Tests run from the sources, where the thread is TypeScript too
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`commit-thread.${extension}`, import.meta.url), {
      name: 'embedded-log',
      // Node 22 warns once per thread that SQLite is experimental
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: CommitReply) => this.#settle(outcomeOf(reply)));
    this.#worker.on('error', (cause) => this.#end(cause));
    this.#worker.on('exit', () => this.#end(undefined));
  }

  /** Resolves when the thread has ended, including by {@link terminate}, with the error of all later requests. */
  get ended(): Promise<ConnectorError> {
    return this.#whenEnded.promise;
  }

  /** Sends a request. Always resolves, when the thread answers or ends. Keeps the process alive until then. */
  request(request: CommitRequest): Promise<RequestOutcome> {
    const { promise, resolve } = Promise.withResolvers<RequestOutcome>();
    if (this.#ended !== undefined) {
      resolve({ kind: 'failed', error: this.#ended, buffers: undefined });
      return promise;
    }
    this.hold();
    this.#waiting.push(resolve);
    const buffers = request.kind === 'commit' ? request.batches.map((batch) => batch.data.buffer) : [];
    this.#worker.postMessage(request, buffers as ArrayBuffer[]);
    return promise;
  }

  /** Keeps the process alive until {@link release} was called as often. */
  hold(): void {
    if (this.#holders === 0) this.#worker.ref();
    this.#holders += 1;
  }

  /** The opposite of {@link hold}. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#worker.unref();
  }

  /** Ends the thread at once. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(outcome: RequestOutcome): void {
    const resolve = this.#waiting.shift();
    if (resolve === undefined) return;
    this.release();
    resolve(outcome);
  }

  #end(cause: unknown): void {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    this.#ended ??= new ConnectorError('internal', `the thread of the embedded log ended${why}`, { cause });
    this.#whenEnded.resolve(this.#ended);
    while (this.#waiting.length > 0) {
      this.#settle({ kind: 'failed', error: this.#ended, buffers: undefined });
    }
  }
}

function outcomeOf(reply: CommitReply): RequestOutcome {
  return reply.kind === 'failed' ? { ...reply, error: revive(reply.error) } : reply;
}

function revive(error: ThreadError): ConnectorError {
  return new ConnectorError(error.code, error.message, { retriable: error.retriable });
}
