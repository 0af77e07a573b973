// What source-otlp needs of @levada/http2-server, over node:http2: for receiver.ts, which puts it in the place of that package. It
// has the same windows, bounds of streams and headers, and nothing that ends connections which cost too much.
import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionOptions, RequestHeaders, StreamListener } from '../../../http2-server/src/index.ts';

export {
  addressKey,
  errorCode,
  HEADERS_MS,
  preface,
  ResetBudgets,
  ServerSession,
  usualLimits,
} from '../../../http2-server/src/index.ts';

/** node:http2 encodes them itself. */
export function headerBlock(fields: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return fields;
}

class NodeStream {
  listener: StreamListener | undefined;
  answered = false;
  readonly #stream: ServerHttp2Stream;
  #unsent: Uint8Array | undefined;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  get unsentBytes(): number {
    return this.#stream.writableLength + (this.#unsent?.length ?? 0);
  }

  answerHead(fields: OutgoingHttpHeaders): void {
    if (this.#isOver()) return;
    this.answered = true;
    this.#stream.respond(fields, { endStream: true });
    this.#stopReading();
  }

  begin(fields: OutgoingHttpHeaders): void {
    if (!this.#isOver()) this.#stream.respond(fields, { waitForTrailers: true });
  }

  /** The last piece waits for the end, which Node then sends with it. */
  send(data: Uint8Array): void {
    if (this.#unsent !== undefined) this.#stream.write(this.#unsent);
    this.#unsent = data;
    process.nextTick(() => {
      if (this.#unsent !== data) return;
      this.#unsent = undefined;
      this.#stream.write(data);
    });
  }

  end(trailers: OutgoingHttpHeaders): void {
    this.answered = true;
    this.#stream.once('wantTrailers', () => this.#stream.sendTrailers(trailers));
    const last = this.#unsent;
    this.#unsent = undefined;
    if (last === undefined) this.#stream.end();
    else this.#stream.end(last);
  }

  reset(code: number): void {
    this.#stream.close(code);
  }

  #isOver(): boolean {
    return this.#stream.destroyed || this.#stream.closed || this.answered;
  }

  #stopReading(): void {
    if (!this.#stream.readableEnded) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }
}

export class ServerConnection {
  readonly peer: string;
  stopping = false;
  readonly streams = new Map<number, NodeStream>();
  readonly #session: ServerHttp2Session;

  constructor(socket: Socket, { handler, limits }: ConnectionOptions) {
    this.peer = socket.remoteAddress ?? '';
    this.#session = performServerHandshake(socket, {
      settings: {
        initialWindowSize: limits.streamWindowBytes,
        maxConcurrentStreams: limits.maxStreams,
        maxHeaderListSize: limits.maxHeaderBytes,
      },
    });
    this.#session.setLocalWindowSize(limits.connectionWindowBytes);
    this.#session.on('error', () => undefined);
    this.#session.on('stream', (stream, headers, flags) => {
      const own = new NodeStream(stream);
      const id = stream.id ?? 0;
      this.streams.set(id, own);
      stream.on('error', () => undefined);
      stream.on('close', () => {
        this.streams.delete(id);
        own.listener?.onClosed();
      });
      // Both classes have private fields, and what is called of them is the same.
      handler.onRequest(own as never, requestHeaders(headers), this as never);
      const ended = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      if (ended) own.listener?.onEnd();
      else takeOver(stream, own);
    });
  }

  sweep(): void {}

  drain(): void {
    this.stopping = true;
    this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }
}

/** Takes what Node would hand to the stream's own buffer: 'data' events cost more. */
function takeOver(stream: ServerHttp2Stream, { listener }: NodeStream): void {
  const end = stream.push.bind(stream);
  stream.push = (chunk: Buffer | null): boolean => {
    if (chunk !== null) {
      listener?.onBytes(chunk);
      return true;
    }
    if (!stream.closed && !stream.destroyed) listener?.onEnd();
    return end(null);
  };
  stream._read(0);
}

function requestHeaders(headers: IncomingHttpHeaders): RequestHeaders {
  const length = headers['content-length'];
  return {
    method: headers[':method'] ?? '',
    path: headers[':path'] ?? '',
    authority: headers[':authority'],
    contentLength: length === undefined ? undefined : Number(length),
    kept: { get: (name: string) => headers[name] } as ReadonlyMap<string, string>,
    included: [],
  };
}
