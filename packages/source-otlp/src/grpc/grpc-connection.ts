import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { refused } from '../receiver/export-outcome.ts';
import type { SignalName } from '../signals.ts';
import { answerHeaders, answerStatus } from './answer.ts';
import { callHead } from './call-head.ts';
import { ExportMethod } from './export-method.ts';
import { refusalStatus } from './grpc-status.ts';
import type { OpenCall } from './open-call.ts';
import type { ReceiverParts } from './receiver-parts.ts';
import { CONNECTION_WINDOW_BYTES, sessionOptions } from './session-options.ts';
import { UnaryCall } from './unary-call.ts';

/** A whole request must have arrived after this many milliseconds. */
const REQUEST_MS = 30_000;

/** One connection of a client. */
export class GrpcConnection {
  readonly #parts: ReceiverParts;
  readonly #session: ServerHttp2Session;
  readonly #peer: string;
  readonly #calls = new Set<OpenCall>();
  readonly #onEnded = (call: OpenCall): void => {
    this.#calls.delete(call);
  };
  #draining = false;

  constructor(socket: Socket, parts: ReceiverParts) {
    this.#parts = parts;
    this.#peer = socket.remoteAddress ?? '';
    this.#session = performServerHandshake(socket, sessionOptions);
    this.#session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    this.#session.on('error', () => undefined);
    this.#session.on('stream', (stream, headers, flags) => this.#open(stream, headers, flags));
  }

  sweep(now: number): void {
    for (const call of this.#calls) call.sweep(now);
  }

  drain(): void {
    this.#draining = true;
    this.#session.close();
    for (const call of this.#calls) call.drain();
  }

  destroy(): void {
    this.#session.destroy();
  }

  #open(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number): void {
    stream.on('error', () => undefined);
    if (stream.closed || stream.destroyed) return;
    const head = callHead(headers, this.#parts.methods);
    if (head.kind === 'foreign') answerHeaders(stream, head.headers);
    else if (head.kind === 'refused') answerStatus(stream, head.status);
    else {
      const ended = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      this.#export(stream, headers, { signal: head.method.signal, timeoutMs: head.timeoutMs, ended });
    }
  }

  #export(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    { signal, timeoutMs, ended }: { signal: SignalName; timeoutMs: number | undefined; ended: boolean },
  ): void {
    const { target, inflater, clock } = this.#parts;
    if (this.#draining) {
      const refusal = refused('unavailable', 'the receiver is stopping');
      target.intake.refusedEarly(refusal);
      answerStatus(stream, refusalStatus(refusal));
      return;
    }
    const length = headers['content-length'];
    const admission = target.intake.admit({
      signal,
      transport: 'grpc',
      authorization: headers.authorization,
      host: headers[':authority'] ?? headers.host,
      peer: this.#peer,
      declaredBytes: length === undefined ? undefined : Number(length),
      timeoutMs,
    });
    if ('kind' in admission) {
      answerStatus(stream, refusalStatus(admission));
      return;
    }
    this.#calls.add(
      new UnaryCall({
        stream,
        method: new ExportMethod(target, admission),
        inflater,
        encoding: String(headers['grpc-encoding'] ?? 'identity'),
        ended,
        dueAt: clock.monotonic() + Math.min(REQUEST_MS, timeoutMs ?? REQUEST_MS),
        onEnded: this.#onEnded,
      }),
    );
  }
}
