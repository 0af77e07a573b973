import type { Answer } from './answer.ts';
import { closeGently } from './close-gently.ts';
import type { HttpCall } from './http-context.ts';

/** Up to here the rest of a refused body is read and forgotten, so that the connection can be used again. */
const DISCARD_BYTES = 256 * 1024;

/** Answers that leave at the end of this turn of the event loop. */
let leaving: (() => void)[] = [];

/**
 * Sends an answer together with all others of this turn of the event loop: a client on the same machine is then woken once for
 * many answers, and waking it costs as much as handling a small export.
 */
export function sendWithOthers(send: () => void): void {
  if (leaving.push(send) === 1) setImmediate(sendLeaving);
}

function sendLeaving(): void {
  const sends = leaving;
  leaving = [];
  for (const send of sends) send();
}

/** Answers a request whose body was read. */
export function sendAnswer(call: HttpCall, answer: Answer): void {
  const { response } = call;
  writeHead(call, answer, isLast(call));
  if (answer.body === undefined) response.end();
  else response.end(answer.body);
}

/**
 * Answers a request of whose body `unreadBytes` may still arrive (Infinity: an unknown number). When they are few the
 * connection stays open. Otherwise the answer is its last, and it is closed in a way that lets the client see it: a connection
 * that is cut while bytes are unread is reset, and a reset discards what the client has not read (RFC 9112, 9.6).
 */
export function answerUnread(call: HttpCall, answer: Answer, unreadBytes: number): void {
  const { request, waits } = call;
  if (request.complete || (unreadBytes <= DISCARD_BYTES && !(waits && unreadBytes > 0))) {
    sendAnswer(call, answer);
    request.resume();
  } else {
    linger(call, answer);
  }
}

/** Answers a request for the last time on its connection, and waits for the client to close it. */
export function linger(call: HttpCall, answer: Answer): void {
  const { connection, request, response } = call;
  writeHead(call, answer, true);
  // An earlier request of a client that does not wait for answers is still under way: its answer comes first.
  if (response.socket === null) {
    response.end(answer.body);
    request.resume();
    return;
  }
  response.flushHeaders();
  if (answer.body !== undefined) response.write(answer.body);
  closeGently(connection, call.context.clock);
  request.on('data', () => {
    if (connection.socket.bytesRead > connection.readLimit) request.pause();
  });
}

/** An answer that ends its connection while those of later requests are outstanding would make clients send these again. */
function isLast({ context, connection, request }: HttpCall): boolean {
  if (connection.ending) return connection.underway.length === 0;
  return (context.closing || connection.aged) && connection.latest === request;
}

function writeHead({ response, headers }: HttpCall, answer: Answer, ends: boolean): void {
  const all =
    ends || headers.length > 0
      ? [...answer.headers, ...headers, ...(ends ? ['Connection', 'close'] : [])]
      : answer.headers;
  // Node reads the list and does not change it.
  response.writeHead(answer.status, all as string[]);
}
