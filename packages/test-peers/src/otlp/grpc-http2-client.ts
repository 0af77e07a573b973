import {
  type ClientHttp2Session,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { onTestFinished } from 'vitest';

/** What a request was answered with. */
export interface Http2Answer {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly resetCode: number;
}

/** A session of node:http2 that is closed when the test is over. */
export function http2Session(port: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

/** Sends an export in these pieces. */
export function http2Request(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  pieces: readonly Uint8Array[],
): Promise<Http2Answer> {
  return new Promise((resolve) => {
    const stream = session.request(exportRequest(headers));
    const body: Buffer[] = [];
    let head: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    stream.on('response', (received) => {
      head = received;
    });
    stream.on('trailers', (received) => {
      trailers = received;
    });
    stream.on('data', (chunk) => body.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', () =>
      resolve({ headers: head, trailers, body: Buffer.concat(body), resetCode: stream.rstCode }),
    );
    for (const piece of pieces) stream.write(piece);
    stream.end();
  });
}

/** The headers of an export of traces, with others in their place. */
export function exportRequest(more: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  return {
    ':method': 'POST',
    ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...more,
  };
}
