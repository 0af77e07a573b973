import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerOptions,
  type ServerWritableStream,
  status as statusCodes,
} from '@grpc/grpc-js';
import { waitFor } from '@levada/connect-runtime-core/testing';

/** A call that the server has accepted. */
export interface ServerCall {
  /** The request message, as it came. */
  readonly request: Buffer;
  readonly metadata: Metadata;
  /** Sends messages, in order. */
  readonly send: (...messages: readonly Uint8Array[]) => void;
  /** Ends the call with a status; OK without one. */
  readonly end: (code?: keyof typeof statusCodes, details?: string) => void;
  readonly cancelled: () => boolean;
}

/** A gRPC server on loopback with one server-streaming method of raw messages. */
export interface StreamServer {
  readonly port: number;
  /** Calls that were accepted since the start, ended ones included. */
  readonly calls: readonly ServerCall[];
  /** Calls that are open now. */
  readonly open: () => readonly ServerCall[];
  /** The n-th call since the start, from 0, waited for. */
  readonly call: (index: number) => Promise<ServerCall>;
  /** Ends all connections at once; new ones are refused until `listen`. */
  readonly kill: () => void;
  readonly listen: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Options of {@link startStreamServer}. */
export interface StreamServerOptions {
  readonly service?: string;
  readonly method?: string;
  /** Default: a free one. */
  readonly port?: number;
  readonly credentials?: ServerCredentials;
  /** What each call is answered with at once; nothing without it. */
  readonly onCall?: (call: ServerCall) => void;
  readonly options?: ServerOptions;
  /** Adds further services, at each start. */
  readonly extend?: (server: Server) => void;
}

const raw = (bytes: Buffer): Buffer => bytes;

/** Starts a server. */
export async function startStreamServer(options: StreamServerOptions = {}): Promise<StreamServer> {
  const { service = 'teststream.TestStreamService', method = 'StreamEvents' } = options;
  const calls: ServerCall[] = [];
  const live = new Map<ServerCall, ServerWritableStream<Buffer, Buffer>>();
  let server: Server | undefined;
  let port = options.port ?? 0;
  const accept = (stream: ServerWritableStream<Buffer, Buffer>): void => {
    const call: ServerCall = {
      request: stream.request,
      metadata: stream.metadata,
      send: (...messages) => {
        for (const message of messages) stream.write(Buffer.from(message));
      },
      end: (code, details = '') => {
        if (code === undefined) stream.end();
        else stream.emit('error', { code: statusCodes[code], details });
      },
      cancelled: () => stream.cancelled,
    };
    calls.push(call);
    live.set(call, stream);
    const over = (): void => void live.delete(call);
    stream.on('cancelled', over).on('close', over).on('finish', over);
    options.onCall?.(call);
  };
  const listen = async (): Promise<void> => {
    const next = new Server(options.options);
    next.addService(
      {
        [method]: {
          path: `/${service}/${method}`,
          requestStream: false,
          responseStream: true,
          requestSerialize: raw,
          requestDeserialize: raw,
          responseSerialize: raw,
          responseDeserialize: raw,
        },
      },
      { [method]: accept },
    );
    options.extend?.(next);
    port = await new Promise<number>((resolve, reject) => {
      next.bindAsync(
        `127.0.0.1:${port}`,
        options.credentials ?? ServerCredentials.createInsecure(),
        (error, bound) => (error === null ? resolve(bound) : reject(error)),
      );
    });
    server = next;
  };
  const kill = (): void => {
    server?.forceShutdown();
    server = undefined;
    live.clear();
  };
  await listen();
  return {
    get port() {
      return port;
    },
    calls,
    open: () => [...live.keys()],
    call: async (index) => {
      await waitFor(() => calls.length > index, { what: () => `call ${index} of ${calls.length}` });
      return calls[index] as ServerCall;
    },
    kill,
    listen,
    close: async () => kill(),
  };
}

/** What a test server shows, from the folder of `makeCertificates`; `mutual`: clients need a certificate of the same authority. */
export function tlsCredentials(folder: string, { mutual }: { readonly mutual: boolean }): ServerCredentials {
  const file = (name: string): Buffer => readFileSync(join(folder, name));
  const pair = { private_key: file('server.key'), cert_chain: file('server.pem') };
  return ServerCredentials.createSsl(file('ca.pem'), [pair], mutual);
}
