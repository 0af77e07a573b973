import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@levada/connect-runtime-core';
import type { Inflater } from '@levada/grpc-wire';
import type { ExportIntake } from '../admission/export-intake.ts';
import type { BodyLimits } from './export-head.ts';
import type { HttpConnection } from './http-connection.ts';

/** What all requests of a receiver have in common. */
export interface HttpContext {
  readonly intake: ExportIntake;
  readonly inflater: Inflater;
  readonly limits: BodyLimits;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
  /** The receiver is being closed: each connection ends with its next answer. */
  closing: boolean;
  /** Sockets of clients that speak HTTP/2, which have no requests under way. */
  readonly strangers: Set<Socket>;
}

/** One request and where its answer goes. */
export interface HttpCall {
  readonly context: HttpContext;
  readonly connection: HttpConnection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly waits: boolean;
  /** Headers of every answer to this client in addition to those of the answer itself: what CORS needs. */
  readonly headers: readonly string[];
}
