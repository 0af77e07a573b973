import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Stream } from 'node:http2';
import type { GrpcStatus } from '../model/grpc-status.ts';
import { HeaderLimit } from '../transport/header-limits.ts';
import type { ConnectionEnds } from './tracked-sockets.ts';

/** Node's channel for streams that a client opens: grpc-js does not give access to its own, and has no limit for 1xx responses. */
const STREAM_CREATED = 'http2.client.stream.created';

/**
 * Watches the headers of all HTTP/2 streams on these connections. `onTooMany` is called when one call gets more than is accepted. Returns
 * what ends the watch.
 */
export function watchHeaders(
  isOwn: (connection: ConnectionEnds | undefined) => boolean,
  onTooMany: (status: GrpcStatus) => void,
): () => void {
  const watch = (message: unknown): void => {
    const { stream } = message as { readonly stream: ClientHttp2Stream };
    if (!isOwn(stream.session?.socket)) return;
    const limit = new HeaderLimit();
    const count =
      (kind: 'informational' | 'final') =>
      (_headers: unknown, _flags: unknown, raw: readonly string[]): void => {
        const problem = limit.count(raw, kind);
        if (problem !== undefined) onTooMany(problem);
      };
    stream.on('headers', count('informational'));
    stream.on('response', count('final'));
    stream.on('trailers', count('final'));
  };
  subscribe(STREAM_CREATED, watch);
  return () => unsubscribe(STREAM_CREATED, watch);
}
