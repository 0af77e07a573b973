import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type RefusalReason, refused } from '../receiver/export-outcome.ts';
import { problemAnswer } from './answer.ts';
import { closeGently } from './close-gently.ts';
import { type HttpConnection, type HttpConnections, leave } from './http-connection.ts';
import type { HttpContext } from './http-context.ts';
import type { HttpTimeouts } from './http-receiver-options.ts';
import { type Problem, problemOf } from './problem.ts';

/** What Node's parser and timers complain with. */
interface ClientError extends Error {
  readonly code?: string;
  /** Of the parser: what it found, in words. */
  readonly reason?: string;
}

/** What complaints about clients are answered with. */
export interface ClientErrorOptions {
  readonly context: HttpContext;
  readonly connections: HttpConnections;
  readonly timeouts: HttpTimeouts;
}

/** Called for what is no HTTP, is too large or came too late: says so where the client can still be told, and ends the connection. */
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
    const { latest, underway } = connection;
    const last = underway.at(-1);
    if (last?.state === 'reading' && underway.length === 1) return last.fail(problem);
    context.intake.refusedEarly(refused(problem.reason, problem.message));
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

/** The parser complains about each chunk that arrives after the first complaint. */
function stopReading({ socket, readLimit }: HttpConnection): void {
  if (socket.bytesRead > readLimit) socket.pause();
}

/** Undefined: the connection broke, and nobody is there to be told. */
function clientProblem(error: ClientError, { headersMs, requestMs }: HttpTimeouts): Problem | undefined {
  const { code = '', reason } = error;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return told(
      'timeout',
      `the request did not arrive within ${headersMs} ms (headers) and ${requestMs} ms (all of it)`,
    );
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return { ...told('too_large', 'the headers are too large'), status: 431 };
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return told('too_large', 'the chunk extensions are too large');
  return code.startsWith('HPE_')
    ? told('invalid', `the request is not valid HTTP: ${reason ?? code}`)
    : undefined;
}

function told(reason: RefusalReason, message: string): Problem {
  return problemOf(refused(reason, message));
}

/** An answer without a request, hence in JSON, and written by hand. */
function lastAnswer(problem: Problem): string {
  const { status, headers, body } = problemAnswer('json', problem);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  lines.push('Connection: close', '', body?.toString() ?? '');
  return lines.join('\r\n');
}
