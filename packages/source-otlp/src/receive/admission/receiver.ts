import type { SecureContextOptions } from 'node:tls';
import type { Clock } from '@levada/connect-runtime-core';
import type { SignalName } from '../../model/signals.ts';
import type { ConnectionAge } from './connection-age.ts';
import type { ConnectionFailure } from './connection-failure.ts';
import type { ExportIntake } from './export-intake.ts';

/** TLS of a receiver. At least TLS 1.2. */
export interface ReceiverTls {
  /** Certificate, key and, for mutual TLS, the authorities (`ca`) of clients. */
  readonly context: SecureContextOptions;
  /** Whether clients must show a certificate. */
  readonly clientCertificate: boolean;
}

/** What speaks HTTP/2: our own server, or that of Node. */
export type Http2Server = 'levada' | 'node';

export interface ReceiverOptions {
  readonly intake: ExportIntake;
  /** The signals that are offered; the others are unknown services or paths. */
  readonly signals: ReadonlySet<SignalName>;
  /** IP literal, localhost, or `unix:` with the path of a socket. */
  readonly address: string;
  /** Permissions of such a socket. */
  readonly socketMode: number;
  /** 0: the operating system chooses. */
  readonly port: number;
  readonly tls: ReceiverTls | undefined;
  /** Names, in lower case, of request headers that are handed on with an export. */
  readonly includedHeaders: ReadonlySet<string>;
  /** Most bytes of one request's body, after inflation. */
  readonly maxRequestBytes: number;
  /** Most bytes of one request's body as it is sent, when it is compressed. */
  readonly maxCompressedBytes: number;
  /** Most connections at once; further ones are closed as soon as they are accepted. */
  readonly maxConnections: number;
  /** Undefined: connections may become as old as their clients like. */
  readonly connectionAge: ConnectionAge | undefined;
  readonly clock: Clock;
  readonly http2: Http2Server;
  /** An error that is reported to no client, such as a failed accept. */
  readonly onError: (error: Error) => void;
  /** A connection failed before it carried a request. */
  readonly onConnectionFailure: (failure: ConnectionFailure) => void;
  /** Where the receiver of the other protocol listens, in words such as `port 4318`; undefined when it does not. */
  readonly elsewhere: () => string | undefined;
}

/** A receiver that listens. */
export interface Receiver {
  /** The address and port that it is bound to; of a socket of the file system the port is 0. */
  readonly address: string;
  readonly port: number;
  /** Connections that are open now. */
  readonly connections: number;
  /** New connections use these files; open connections keep the old ones. */
  setTls(context: SecureContextOptions): void;
  /**
   * Stops listening at once, refuses new requests on open connections (503, UNAVAILABLE), lets requests under way be answered,
   * and closes each connection when it has none. After `graceMs`, or when the signal is aborted, what is left is cut. Resolves
   * when everything is closed; never rejects. Idempotent.
   */
  close(options: { readonly graceMs: number; readonly signal?: AbortSignal }): Promise<void>;
}
