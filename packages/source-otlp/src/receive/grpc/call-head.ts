import { statusCodes, timeoutMs } from '@levada/grpc-wire';
import { type HeaderBlock, headerBlock } from '../../http2/hpack/header-block.ts';
import type { RequestHeaders } from '../../http2/session/request-headers.ts';
import type { GrpcStatus } from './grpc-status.ts';
import type { Method } from './methods.ts';

/** What the headers of a request ask for. */
export type CallHead =
  | { readonly kind: 'call'; readonly method: Method; readonly timeoutMs: number | undefined }
  /** Not gRPC: answered as HTTP demands. */
  | { readonly kind: 'foreign'; readonly head: HeaderBlock }
  | { readonly kind: 'refused'; readonly status: GrpcStatus };

/** Headers of a call that are looked at. */
export const callHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'grpc-encoding',
  'grpc-timeout',
]);

/** Longest part of a foreign text that a message repeats. */
const MAX_SHOWN = 128;

const unsupportedType = headerBlock({ ':status': '415' });
const unsupportedMethod = headerBlock({ ':status': '405', allow: 'POST' });

/** Judges the headers of a request. `te` may be missing: some proxies take it away. */
export function callHead(headers: RequestHeaders, methods: ReadonlyMap<string, Method>): CallHead {
  const { path, kept } = headers;
  const [contentType, timeout] = [kept.get('content-type'), kept.get('grpc-timeout')];
  if (!isGrpc(contentType)) return { kind: 'foreign', head: unsupportedType };
  if (headers.method !== 'POST') return { kind: 'foreign', head: unsupportedMethod };
  const method = methods.get(path);
  if (method === undefined) {
    return refuseHead(statusCodes.UNIMPLEMENTED, `unknown method "${path.slice(0, MAX_SHOWN)}"`);
  }
  if (timeout === undefined) return { kind: 'call', method, timeoutMs: undefined };
  const ms = timeoutMs(timeout);
  if (ms !== undefined) return { kind: 'call', method, timeoutMs: ms };
  const shown = timeout.slice(0, MAX_SHOWN);
  return refuseHead(
    statusCodes.INTERNAL,
    `grpc-timeout "${shown}", expected at most eight digits and one of H M S m u n`,
  );
}

/** https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md, "Content-Type"; messages are protobuf, however they are called. */
export function isGrpc(contentType: string | undefined): boolean {
  return (
    contentType === 'application/grpc' || /^application\/grpc(?:\+proto)?\s*(?:;|$)/i.test(contentType ?? '')
  );
}

function refuseHead(code: number, message: string): CallHead {
  return { kind: 'refused', status: { code, message, retry: false } };
}
