import type { Http2Connection } from '../../http2/guard/server-connection.ts';
import type { RequestHeaders } from '../../http2/session/request-headers.ts';
import type { Http2Stream, StreamListener } from '../../http2/session/server-stream.ts';
import { metadataOf } from '../../model/request-metadata.ts';
import type { SignalName } from '../../model/signals.ts';
import type { RequestHead } from '../admission/export-intake.ts';
import { type Refusal, refuse } from '../admission/export-outcome.ts';
import { answerStatus } from './answer.ts';
import { ExportMethod } from './export-method.ts';
import { refusalStatus } from './grpc-status.ts';
import type { Method } from './methods.ts';
import type { ReceiverParts } from './receiver-parts.ts';
import { StreamCall, type StreamMethod } from './stream-call.ts';
import { REQUEST_MS } from './time-limits.ts';
import { type UnaryAnswer, UnaryCall, type UnaryMethod } from './unary-call.ts';

/** A call whose headers are in order. */
export interface Opening {
  readonly stream: Http2Stream;
  readonly headers: RequestHeaders;
  readonly method: Method;
  readonly timeoutMs: number | undefined;
  readonly connection: Pick<Http2Connection, 'peer' | 'stopping' | 'streams'>;
}

/** Health watches and reflection calls that one connection may have open. */
const MAX_STREAM_CALLS = 8;

/** Begins a call. Undefined when it was refused: then it is answered, and nothing of it was read. */
export function startCall(parts: ReceiverParts, opening: Opening): StreamListener | undefined {
  const { method, connection } = opening;
  if (method.kind === 'export') return startExport(parts, opening, method.signal);
  if (connection.stopping) return answerRefusal(opening, refuse('unavailable', 'the receiver is stopping'));
  if (method.kind === 'small') return unaryCall(parts, opening, smallMethod(method.handle));
  return startStream(parts, opening, method);
}

function startExport(parts: ReceiverParts, opening: Opening, signal: SignalName): StreamListener | undefined {
  const { intake } = parts.target;
  if (opening.connection.stopping) {
    const refusal = refuse('unavailable', 'the receiver is stopping');
    intake.countRefusal(refusal);
    return answerRefusal(opening, refusal);
  }
  const request = intake.admit(requestHead(parts, opening, signal));
  if ('kind' in request) return answerRefusal(opening, request);
  return unaryCall(parts, opening, new ExportMethod(parts.target, request));
}

function requestHead(
  parts: ReceiverParts,
  { headers, timeoutMs, connection }: Opening,
  signal: SignalName,
): RequestHead {
  return {
    signal,
    transport: 'grpc',
    authorization: headers.kept.get('authorization'),
    host: headers.authority,
    peer: connection.peer,
    declaredBytes: headers.contentLength,
    timeoutMs,
    metadata: metadataOf(headers.included, parts.limits.includedHeaders),
  };
}

function unaryCall(parts: ReceiverParts, opening: Opening, method: UnaryMethod): StreamListener {
  const { stream, headers, timeoutMs = REQUEST_MS } = opening;
  return new UnaryCall({
    stream,
    method,
    inflater: parts.inflater,
    encoding: headers.kept.get('grpc-encoding') ?? 'identity',
    dueAt: parts.clock.monotonic() + Math.min(REQUEST_MS, timeoutMs),
  });
}

function startStream(
  parts: ReceiverParts,
  opening: Opening,
  { method, guard }: { readonly method: StreamMethod; readonly guard: SignalName | undefined },
): StreamListener | undefined {
  const { stream, headers, connection } = opening;
  if (guard !== undefined) {
    const request = parts.target.intake.admit(requestHead(parts, opening, guard));
    if ('kind' in request) return answerRefusal(opening, request);
    request.release();
  }
  const lasting = Array.from(connection.streams.values()).filter(
    ({ listener }) => listener instanceof StreamCall,
  );
  if (lasting.length >= MAX_STREAM_CALLS) {
    return answerRefusal(
      opening,
      refuse('rate_limited', `${MAX_STREAM_CALLS} calls that last are open already`),
    );
  }
  return new StreamCall({
    stream,
    method,
    encoding: headers.kept.get('grpc-encoding') ?? 'identity',
    now: () => parts.clock.monotonic(),
  });
}

function answerRefusal({ stream }: Opening, refusal: Refusal): undefined {
  answerStatus(stream, refusalStatus(refusal));
}

/** Nothing is counted for these calls, so that all that a client can have open must be little. */
const MAX_BYTES = 1024;
const ignore = (): void => undefined;

/** A call with a small request that is answered at once and counted nowhere. */
function smallMethod(handle: (request: Uint8Array) => UnaryAnswer): UnaryMethod {
  return {
    maxRequestBytes: MAX_BYTES,
    maxCompressedBytes: MAX_BYTES,
    reserve: () => true,
    handle,
    countRefusal: ignore,
    release: ignore,
  };
}
