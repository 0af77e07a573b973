import type { IncomingMessage, ServerResponse } from 'node:http';
import { metadataOf } from '../../model/request-metadata.ts';
import type { SignalName } from '../../model/signals.ts';
import { refuse } from '../admission/export-outcome.ts';
import { problemAnswer } from './answer.ts';
import { Exchange } from './exchange.ts';
import { readExportHead } from './export-head.ts';
import type { HttpConnection } from './http-connection.ts';
import type { HttpCall, HttpContext } from './http-context.ts';
import { bodyFormOf } from './media-type.ts';
import type { OriginPolicy } from './origin-policy.ts';
import { foreignOrigin, type Problem, problemOf, stopping, unknownPath, wrongHosts } from './problem.ts';
import { type ScannedHeaders, scanHeaders } from './scanned-headers.ts';
import { answerUnread } from './send-answer.ts';

export interface HandlerOptions {
  readonly context: HttpContext;
  readonly paths: ReadonlyMap<string, SignalName>;
  readonly origins: OriginPolicy;
  readonly secure: boolean;
  readonly includedHeaders: ReadonlySet<string>;
}

/** One request as it came in. */
export interface IncomingCall {
  readonly connection: HttpConnection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly waits: boolean;
}

const noHeaders: readonly string[] = [];

/** Handles each request up to the point where its body is read. Never throws. */
export function createRequestHandler(options: HandlerOptions): (incoming: IncomingCall) => void {
  const { context, paths, origins, secure, includedHeaders } = options;

  return ({ connection, request, response, waits }) => {
    connection.latest = request;
    const headers = scanHeaders(request.rawHeaders);
    const target = requestTarget(request.url ?? '');
    const host = target.authority ?? headers.host;
    const verdict = origins.judge(headers, { host, secure });
    const call: HttpCall = {
      context,
      connection,
      request,
      response,
      waits,
      headers: verdict === 'allowed' ? origins.answerHeaders(headers.origin ?? '') : noHeaders,
    };
    const signal = paths.get(target.path);
    if (hasWrongHosts(request, headers)) return answerProblem(call, headers, wrongHosts(headers.hosts));
    if (signal === undefined) return answerProblem(call, headers, unknownPath(target.path));
    if (verdict === 'foreign') return answerProblem(call, headers, foreignOrigin(headers.origin));
    if (verdict === 'allowed' && isPreflight(request, headers)) {
      return answerUnread(call, origins.preflightAnswer, unreadBytes(headers));
    }
    const head = readExportHead(request, signal, { headers, limits: context.limits });
    if (head.kind === 'problem') return answerProblem(call, headers, head.problem);
    if (context.closing) return answerProblem(call, headers, stopping);
    const admitted = context.intake.admit({
      signal,
      transport: 'http',
      authorization: headers.authorization,
      host,
      peer: connection.peer,
      declaredBytes: head.declaredBytes,
      timeoutMs: undefined,
      metadata: metadataOf(request.rawHeaders, includedHeaders),
    });
    if ('kind' in admitted) {
      return answerUnread(call, problemAnswer(head.form, problemOf(admitted)), unreadBytes(headers));
    }
    new Exchange(call, head, admitted).begin();
  };
}

/** HTTP/1.0 knows no Host header. */
function hasWrongHosts({ httpVersionMinor }: IncomingMessage, { hosts }: ScannedHeaders): boolean {
  return hosts > 1 || (hosts === 0 && httpVersionMinor > 0);
}

function isPreflight({ method }: IncomingMessage, { requestMethod }: ScannedHeaders): boolean {
  return method === 'OPTIONS' && requestMethod !== undefined;
}

/** Only exports are counted, not what a browser or a prober requests with other methods. */
function answerProblem(call: HttpCall, headers: ScannedHeaders, problem: Problem): void {
  if (call.request.method === 'POST') {
    call.context.intake.countRefusal(refuse(problem.reason, problem.message));
  }
  const form = bodyFormOf(headers.contentType) ?? 'json';
  answerUnread(call, problemAnswer(form, problem), unreadBytes(headers));
}

function unreadBytes({ contentLength, transferEncoding }: ScannedHeaders): number {
  if (transferEncoding !== undefined) return Number.POSITIVE_INFINITY;
  return contentLength === undefined ? 0 : Number(contentLength);
}

/** What a request asks for. */
export interface RequestTarget {
  readonly path: string;
  /** Of a target in absolute form, which then counts instead of the Host header (RFC 9112, 3.2.2). */
  readonly authority: string | undefined;
}

const absolute = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Reads a request's target; queries are ignored, and nothing is decoded: paths are compared as they are sent. */
export function requestTarget(target: string): RequestTarget {
  if (target.startsWith('/')) return { path: withoutQuery(target), authority: undefined };
  const found = absolute.exec(target);
  if (found === null) return { path: withoutQuery(target), authority: undefined };
  const [, authority, rest = ''] = found;
  return { path: withoutQuery(rest), authority };
}

function withoutQuery(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : target.slice(0, at);
}
