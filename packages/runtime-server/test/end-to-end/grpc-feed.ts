import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  eventBytes,
  eventJson,
  type ServerCall,
  type StreamServer,
  type StreamServerOptions,
  startStreamServer,
  testDescriptor,
} from '@levada/test-peers/grpc';
import { afterEach } from 'vitest';

/** A gRPC server whose messages are numbered from 1, over all its calls. */
export interface GrpcFeed {
  readonly port: number;
  /** Every call there ever was, in order. */
  readonly calls: readonly ServerCall[];
  /** Calls that were open at once, at most. */
  readonly mostAtOnce: number;
  /** Messages that were sent. */
  readonly sent: number;
  /** Waits for the call with this number, from 1. */
  call(number: number): Promise<ServerCall>;
  /** Waits until the client has cancelled the call with this number. */
  cancelled(number: number): Promise<void>;
  /** Sends further messages over the call that is open. Throws when there is none. */
  send(count: number): void;
  /** Ends all connections at once; new ones are refused until `listen`. */
  kill(): void;
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** The JSON of the message with this number. */
export function numberedJson(number: number): string {
  return eventJson({ payload: payload(number), sequence: BigInt(number) });
}

/** The JSON of the first messages, in order. */
export function numberedJsons(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => numberedJson(i + 1));
}

/** Wire bytes of the message with this number. */
export function numberedBytes(number: number): Uint8Array {
  return eventBytes({ payload: payload(number), sequence: BigInt(number) });
}

/** Lengths differ, and UTF-8 matters. */
function payload(number: number): string {
  return 'é☃😀 quote \\" '.repeat(number % 7);
}

/** Makes feeds that are closed after the test. */
export function grpcFeeds(): {
  readonly newFeed: (options?: StreamServerOptions) => Promise<GrpcFeed>;
} {
  const feeds: GrpcFeed[] = [];
  afterEach(async () => {
    await Promise.all(feeds.splice(0).map((feed) => feed.close()));
  });
  return {
    newFeed: async (options) => {
      const feed = await startGrpcFeed(options);
      feeds.push(feed);
      return feed;
    },
  };
}

async function startGrpcFeed(options: StreamServerOptions = {}): Promise<GrpcFeed> {
  let feed: Feed | undefined;
  const server = await startStreamServer({
    ...options,
    onCall: (call) => {
      feed?.opened();
      options.onCall?.(call);
    },
  });
  feed = new Feed(server);
  return feed;
}

/** Writes the descriptor set of the test services, all imports included, and returns its path. */
export async function writeDescriptor(folder: string): Promise<string> {
  const file = join(folder, 'descriptors.binpb');
  await writeFile(file, testDescriptor());
  return file;
}

/** A connector as an operator writes it, for the smallest service on this port. */
export function grpcConfig(port: number, more: Readonly<Record<string, string>> = {}) {
  return {
    'connector.class': 'io.vendor.connect.grpc.GrpcSourceConnector',
    'tasks.max': '1',
    'grpc.server.host': '127.0.0.1',
    'grpc.server.port': String(port),
    'grpc.service.name': 'teststream.TestStreamService',
    'grpc.method.name': 'StreamEvents',
    'grpc.proto.descriptor': Buffer.from(testDescriptor()).toString('base64'),
    'platform.topic': 'events',
    'grpc.reconnect.interval.ms': '50',
    ...more,
  };
}

class Feed implements GrpcFeed {
  mostAtOnce = 0;
  sent = 0;
  readonly #server: StreamServer;

  constructor(server: StreamServer) {
    this.#server = server;
  }

  get port(): number {
    return this.#server.port;
  }

  get calls(): readonly ServerCall[] {
    return this.#server.calls;
  }

  opened(): void {
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#server.open().length);
  }

  call(number: number): Promise<ServerCall> {
    return waitFor(() => this.calls[number - 1], {
      timeoutMs: 30_000,
      what: () => `call ${number}; there were ${this.calls.length}`,
    });
  }

  async cancelled(number: number): Promise<void> {
    const call = await this.call(number);
    await waitFor(() => call.cancelled(), { timeoutMs: 30_000, what: `call ${number} is still open` });
  }

  send(count: number): void {
    const [call] = this.#server.open();
    if (call === undefined) throw new Error('no call is open');
    for (let i = 0; i < count; i += 1) {
      this.sent += 1;
      call.send(numberedBytes(this.sent));
    }
  }

  kill(): void {
    this.#server.kill();
  }

  listen(): Promise<void> {
    return this.#server.listen();
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
