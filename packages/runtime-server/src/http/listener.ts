import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { createGzip } from 'node:zlib';
import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { mediaWeight } from '../rest/message/content-type.ts';
import { errorResponse, toErrorResponse } from '../rest/message/error-response.ts';
import { frameworkMessage, RestError } from '../rest/message/rest-error.ts';
import type { RestHandler, RestResponse } from '../rest/message/rest-message.ts';
import { type AdmissionRules, admit } from './admission.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import { readHeaders, schemeOf, toRestRequest } from './http-request.ts';
import { discardBody, MAX_BODY_BYTES, maxBodyBytes, readRawBody } from './read-raw-body.ts';

/** How long a client may take, in milliseconds. */
export interface ListenerTimeouts {
  /** For the head of a request. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** To read an answer. */
  readonly answerMs: number;
}

const defaultTimeouts: ListenerTimeouts = { headersMs: 10_000, requestMs: 30_000, answerMs: 30_000 };

export interface ListenerLimits extends ConnectionLimits {
  /** Requests that are being answered. */
  readonly inFlight: number;
}

const defaultLimits: ListenerLimits = { connections: 1000, bodyBytes: 32 * MAX_BODY_BYTES, inFlight: 500 };

/**
 * How many of the requests may be changes. Those wait for the log when it is away; what is in memory, and whether the worker is healthy, is
 * to be seen meanwhile.
 */
const CHANGING_SHARE = 0.8;

/** One address that answers REST. */
export interface ListenerOptions {
  /** Empty: every address of the machine. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Answers HTTPS with it. Default: HTTP. */
  readonly tls?: TlsOptions | undefined;
  readonly handle: RestHandler;
  readonly admission: AdmissionRules;
  /** Added to every answer, for example from `response.http.headers.config`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly clock: Clock;
  /** Default: 10 s for the head, 30 s for all of it, 30 s for the answer. */
  readonly timeouts?: ListenerTimeouts;
  /** Default: 1000 connections, 32 MiB of bodies, 100 requests. */
  readonly limits?: ListenerLimits;
}

/** A listener that is open. */
export interface RestListener {
  readonly port: number;
  /** New connections get these certificates; those that are open stay. Nothing happens without TLS. */
  renewTls(tls: TlsOptions): void;
  /** Lets requests under way finish within the time-out, then closes every connection. Idempotent; always resolves. */
  close(timeoutMs: number): Promise<void>;
}

/** Opens a listener. Rejects with an `address_in_use` ConnectorError when the address cannot be bound. */
export async function openListener(options: ListenerOptions): Promise<RestListener> {
  const { headersMs, requestMs } = options.timeouts ?? defaultTimeouts;
  const http = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: 5_000,
    requireHostHeader: false, // answered by admission, with a body
    connectionsCheckingInterval: Math.min(2_000, headersMs / 2),
  };
  const { tls } = options;
  const secure =
    tls === undefined ? undefined : createTlsServer({ ...http, ...tls, handshakeTimeout: headersMs });
  secure?.on('secureConnection', refuseUntrusted);
  const server = secure ?? createServer(http);
  const connections = new Connections(server, options.limits ?? defaultLimits);
  /** Requests that wait to be asked for their bodies, and will not be. */
  const unasked = new WeakSet<IncomingMessage>();
  const answering = restListener(options, { connections, unasked });
  const latest = new WeakMap<Socket, ServerResponse>();
  const closing = new WeakSet<Socket>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    latest.set(request.socket, response);
    answering(request, response);
  };
  server.on('request', onRequest);
  server.on('checkContinue', (request, response) => {
    // What is too large anyway is refused instead of being asked for.
    if (Number(request.headers['content-length'] ?? 0) <= maxBodyBytes(request)) response.writeContinue();
    else unasked.add(request);
    onRequest(request, response);
  });
  server.on('clientError', (error, socket: Socket) => {
    // Each further part that arrives is an error again.
    if (closing.has(socket)) return;
    closing.add(socket);
    const before = latest.get(socket);
    // As Java does: the request is answered, and only what follows it is not.
    if (before?.req.complete === true && !before.writableFinished) closeAfter(before, socket);
    // The request that is broken was refused already.
    else if (before?.req.complete === false && before.headersSent) socket.destroySoon();
    else refuseBrokenRequest(error, socket);
  });
  server.on('checkExpectation', refuseExpectation);
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    renewTls: (renewed) => secure?.setSecureContext(renewed),
    close: (timeoutMs) => closeServer(server, connections, { clock: options.clock, timeoutMs }),
  };
}

function restListener(
  options: ListenerOptions,
  { connections, unasked }: { readonly connections: Connections; readonly unasked: WeakSet<IncomingMessage> },
): RequestListener {
  const { answerMs } = options.timeouts ?? defaultTimeouts;
  const limits = options.limits ?? defaultLimits;
  let inFlight = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = beginAnswer(request, response, options);
    endSlowReader(response, options.clock, answerMs);
    const { socket } = request;
    const body = await readRawBody(request, (bytes) => connections.hold(socket, bytes));
    const rest = toRestRequest(request, headers, body);
    const most = isReading(request) ? limits.inFlight : Math.ceil(limits.inFlight * CHANGING_SHARE);
    if (inFlight >= most) throw new RestError(503, 'Too many requests at once');
    inFlight += 1;
    connections.busy(socket);
    try {
      const made = await options.handle(rest);
      if (made.stream === undefined) send(response, made);
      else await sendStream(request, response, { answer: made, stream: made.stream, ...options, answerMs });
    } finally {
      inFlight -= 1;
      connections.waits(socket);
    }
  };
  return (request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      const refusal = toErrorResponse(thrown, false);
      connections.release(request.socket);
      const isBodyComing = !request.complete && !unasked.has(request);
      if (refusal.headers['connection'] !== 'close' || !isBodyComing) send(response, refusal);
      else void sendEarly(request, response, { refusal, clock: options.clock });
    });
  };
}

/** Sets the headers that every answer has, and refuses what may not ask. Answers with the headers of the request. */
function beginAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ListenerOptions,
): ReadonlyMap<string, string> {
  for (const [name, value] of options.headers) response.appendHeader(name, value);
  const headers = readHeaders(request);
  const preflight = request.method === 'OPTIONS' && headers.has('access-control-request-method');
  const cors = admit(
    {
      method: request.method ?? 'GET',
      scheme: schemeOf(request),
      // Before HTTP/1.1 no request had to name a host.
      host: headers.get('host') ?? (request.httpVersion === '1.0' ? 'localhost' : undefined),
      origin: headers.get('origin'),
      fetchSite: headers.get('sec-fetch-site'),
      contentType: headers.get('content-type'),
      forwardedHost: headers.get('x-forwarded-host'),
      requestedWith: headers.get('x-requested-with'),
      preflight,
    },
    options.admission,
  );
  for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
  return headers;
}

function isReading({ method = 'GET' }: IncomingMessage): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method);
}

function send(response: ServerResponse, answer: RestResponse): void {
  if (response.headersSent || response.destroyed) return;
  writeHead(response, answer);
  response.end(answer.body);
}

function writeHead(response: ServerResponse, { status, headers, body }: RestResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  if (status !== 204) response.setHeader('content-length', Buffer.byteLength(body));
}

/** Answers a request whose body is still on its way. */
async function sendEarly(
  request: IncomingMessage,
  response: ServerResponse,
  { refusal, clock }: { readonly refusal: RestResponse; readonly clock: Clock },
): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  writeHead(response, refusal);
  response.write(refusal.body);
  await discardBody(request, clock);
  response.end();
}

/** Writes a body part by part, as fast as the client reads. A client that takes too long is cut off. */
async function sendStream(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  {
    answer,
    stream,
    clock,
    answerMs,
  }: {
    readonly answer: RestResponse;
    readonly stream: AsyncIterable<string>;
    readonly clock: Clock;
    readonly answerMs: number;
  },
): Promise<void> {
  if (response.destroyed) return;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  response.statusCode = answer.status;
  response.setHeader('vary', 'Accept, Accept-Encoding');
  const compressed = (mediaWeight(headers['accept-encoding'], 'gzip') ?? 0) > 0;
  if (compressed) response.setHeader('content-encoding', 'gzip');
  if (method === 'HEAD') {
    response.end();
    return;
  }
  const timer = clock.after(answerMs, () => response.destroy());
  try {
    const parts = Readable.from(stream);
    if (compressed) await pipeline(parts, createGzip({ level: 4 }), response);
    else await pipeline(parts, response);
  } catch {
    // The client is gone, or was too slow: there is no reader left to answer.
    response.destroy();
  } finally {
    timer.cancel();
  }
}

/** Ends the connection of a client that does not read its answer in time. */
function endSlowReader(response: ServerResponse, clock: Clock, answerMs: number): void {
  response.once('prefinish', () => {
    const timer = clock.after(answerMs, () => response.destroy());
    response.once('close', () => timer.cancel());
  });
}

/** Nothing but `100-continue` may be expected. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  send(response, errorResponse({ status: 417, message: frameworkMessage(417) }));
}

/** A client that may have no certificate may still not have an untrusted one. */
function refuseUntrusted(socket: TLSSocket): void {
  const hasCertificate = Object.keys(socket.getPeerCertificate()).length > 0;
  if (hasCertificate && !socket.authorized) socket.destroy();
}

const brokenStatus: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Sends the answer, and closes the connection then. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  response.once('finish', () => socket.end(() => socket.destroy()));
}

/** Answers what is not HTTP, or not in time: Node knows no request then, only a socket. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // Where TLS has failed there is no way to answer.
  const isHttp = error.code?.startsWith('HPE_') === true || error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (!socket.writable || !isHttp) {
    socket.destroy();
    return;
  }
  const status = brokenStatus[error.code ?? ''] ?? 400;
  const { body } = errorResponse({ status, message: frameworkMessage(status) });
  const reason = frameworkMessage(status).slice('HTTP 000 '.length);
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function listen(server: Server | TlsServer, { host, port }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const where = `${host === '' ? '*' : host}:${port}`;
      reject(
        new ConnectorError('address_in_use', `REST cannot listen on ${where}: ${cause.message}`, { cause }),
      );
    });
    const bound = (): void => {
      server.removeAllListeners('error');
      server.on('error', () => server.closeIdleConnections());
      resolve();
    };
    if (host === '') server.listen(port, bound);
    else server.listen(port, host, bound);
  });
}

function closeServer(
  server: Server | TlsServer,
  connections: Connections,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(timeoutMs, () => connections.endAll());
    server.close(() => {
      timer.cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Sent with every answer: nothing of it is to be cached, sniffed or run. */
export const securityHeaders: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'"],
];
