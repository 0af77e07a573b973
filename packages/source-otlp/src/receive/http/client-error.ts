import type { Socket } from 'node:net';
import { preface } from '../../http2/frames/protocol.ts';
import { type WireProtocol, wireProtocol } from '../admission/connection-failure.ts';
import { type RefusalReason, refuse } from '../admission/export-outcome.ts';
import type { ReceiverOptions } from '../admission/receiver.ts';
import { wrongPortMessage } from '../admission/wrong-port.ts';
import { answerHttp2 } from '../grpc/answer-http2.ts';
import { closeGently } from './close-gently.ts';
import { type HttpConnection, type HttpConnections, leave } from './http-connection.ts';
import type { HttpContext } from './http-context.ts';
import type { HttpTimeouts } from './http-receiver-options.ts';
import { lastAnswer } from './last-answer.ts';
import { type Problem, problemOf } from './problem.ts';

/** What Node's parser and timers complain with. */
interface ClientError extends Error {
  readonly code?: string;
  /** Of the parser: what it found, in words. */
  readonly reason?: string;
  /** Of the parser: the chunk that it complains of, and how much of it was in order. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

export interface ClientErrorOptions {
  readonly context: HttpContext;
  readonly connections: HttpConnections;
  readonly timeouts: HttpTimeouts;
  readonly onConnectionFailure: ReceiverOptions['onConnectionFailure'];
  readonly elsewhere: ReceiverOptions['elsewhere'];
  readonly http2: ReceiverOptions['http2'];
}

/** Handles input that is not HTTP, is too large or came too late: answers where that is still possible, and ends the connection. */
export function createClientErrorHandler(
  options: ClientErrorOptions,
): (error: Error, socket: Socket) => void {
  const { context, connections, timeouts } = options;

  return (error, socket) => {
    const problem = clientProblem(error, timeouts);
    if (problem === undefined || !socket.writable) return void socket.destroy();
    const connection = connections.of(socket);
    if (connection.ending) return stopReading(connection);
    if (connection.latest === undefined && socket.bytesRead === 0) return void socket.destroy();
    const found = foreignProtocol(error, connection);
    if (found !== undefined) return answerForeign(options, { connection, error, found });
    const { latest, underway } = connection;
    const last = underway.at(-1);
    if (last?.state === 'reading' && underway.length === 1) return last.fail(problem);
    context.intake.countRefusal(refuse(problem.reason, problem.message));
    if (last === undefined) {
      // The body of a request that was answered already: a second answer would be taken for that of the next request.
      if (latest !== undefined && !latest.complete) return void socket.destroy();
      socket.write(lastAnswer(problem));
      return closeGently(connection, context.clock);
    }
    // Earlier requests of a client that does not wait for answers are still under way: theirs come first, then the end.
    connection.ending = true;
    if (last.state === 'reading') {
      leave(connection, last);
      last.abandon();
    }
  };
}

/** What a client speaks instead of HTTP/1; undefined when its first bytes may be HTTP/1, however broken. */
function foreignProtocol(
  { code, rawPacket }: ClientError,
  { latest }: HttpConnection,
): 'HTTP/2' | 'TLS' | undefined {
  if (latest !== undefined || rawPacket === undefined) return undefined;
  if (code === 'HPE_PAUSED_H2_UPGRADE') return 'HTTP/2';
  const found: WireProtocol = wireProtocol(rawPacket);
  return found === 'TLS' ? found : undefined;
}

interface ForeignClient {
  readonly connection: HttpConnection;
  readonly error: ClientError;
  readonly found: 'HTTP/2' | 'TLS';
}

/** Answers the client in its own protocol where that is possible. Other clients cannot read an answer, but some recognize one in HTTP/1. */
function answerForeign(
  { context, onConnectionFailure, elsewhere, http2 }: ClientErrorOptions,
  { connection, error, found }: ForeignClient,
): void {
  const { socket, peer } = connection;
  onConnectionFailure({ kind: 'wrong_protocol', peer, found });
  const message = wrongPortMessage('http', elsewhere());
  // Without our own HTTP/2 server on the other port, it is not used here either.
  if (found === 'TLS' || http2 === 'node') {
    const text = found === 'TLS' ? 'the request is TLS, which this port does not use' : message;
    socket.write(lastAnswer(refusalProblem('invalid', text)));
    closeGently(connection, context.clock);
    return;
  }
  connection.ending = true;
  context.strangers.add(socket);
  socket.once('close', () => context.strangers.delete(socket));
  // The parser of HTTP/1 reads no more: a new listener for data takes the socket from it.
  socket.removeAllListeners('data');
  socket.removeAllListeners('end');
  // It read the whole preface, however many chunks that took.
  const read = Buffer.concat([preface, error.rawPacket?.subarray(error.bytesParsed) ?? Buffer.alloc(0)]);
  answerHttp2(socket, { read, message, clock: context.clock });
}

/** The parser complains about each chunk that arrives after the first complaint. */
function stopReading({ socket, readLimit }: HttpConnection): void {
  if (socket.bytesRead > readLimit) socket.pause();
}

/** Undefined: the connection broke, and there is no client to answer. */
function clientProblem(error: ClientError, { headersMs, requestMs }: HttpTimeouts): Problem | undefined {
  const { code = '', reason } = error;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return refusalProblem(
      'timeout',
      `the request did not arrive within ${headersMs} ms (headers) and ${requestMs} ms (all of it)`,
    );
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return { ...refusalProblem('too_large', 'the headers are too large'), status: 431 };
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return refusalProblem('too_large', 'the chunk extensions are too large');
  return code.startsWith('HPE_')
    ? refusalProblem('invalid', `the request is not valid HTTP: ${reason ?? code}`)
    : undefined;
}

function refusalProblem(reason: RefusalReason, message: string): Problem {
  return problemOf(refuse(reason, message));
}
