import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '@levada/connect-runtime-core';
import { ageOfOne, type ConnectionAge } from '../admission/connection-age.ts';
import type { ReceiverOptions } from '../admission/receiver.ts';
import type { Problem } from './problem.ts';

/** A request whose answer is not sent, or whose connection lingers after it. */
export interface Underway {
  /** `reading`: its body arrives. `taken`: its answer depends on no client. `answered`: the connection is kept for the client to read it. */
  readonly state: 'reading' | 'taken' | 'answered';
  /** Its client is gone, or its connection broken: whatever it holds is given back. */
  abandon(): void;
  /** Its body cannot be read to the end: this is its answer, and the last of its connection. */
  fail(problem: Problem): void;
}

/** One client's connection. */
export interface HttpConnection {
  readonly socket: Socket;
  readonly peer: string;
  /** In the order of their arrival; seldom more than one. */
  readonly underway: Underway[];
  /** The request whose head was read last. */
  latest: IncomingMessage | undefined;
  /** Nothing more is read from it: the next answer closes it. */
  ending: boolean;
  /** It is too old: its next answer is its last. */
  aged: boolean;
  /** Bytes after which nothing more is read from its socket, for a connection whose last answer is sent. */
  readLimit: number;
}

/** Connections by their sockets: for TLS by those that carry HTTP. */
export interface HttpConnections {
  of(socket: Socket): HttpConnection;
  known(socket: Socket): HttpConnection | undefined;
}

/** Keeps what is known of each connection until it is closed. */
export function createHttpConnections({
  connectionAge: age,
  clock,
}: Pick<ReceiverOptions, 'connectionAge' | 'clock'>): HttpConnections {
  const connections = new Map<Socket, HttpConnection>();

  function open(socket: Socket): HttpConnection {
    const connection: HttpConnection = {
      socket,
      peer: socket.remoteAddress ?? '',
      underway: [],
      latest: undefined,
      ending: false,
      aged: false,
      readLimit: Number.POSITIVE_INFINITY,
    };
    connections.set(socket, connection);
    const stopAging = age === undefined ? undefined : grow(connection, age, clock);
    socket.once('close', () => {
      stopAging?.();
      connections.delete(socket);
      for (const request of connection.underway.splice(0)) request.abandon();
    });
    return connection;
  }

  return {
    of: (socket) => connections.get(socket) ?? open(socket),
    known: (socket) => connections.get(socket),
  };
}

/** Ends a connection when it is too old: in order while there are requests, and in any case when the grace is over. */
function grow(connection: HttpConnection, age: ConnectionAge, clock: Clock): () => void {
  let timer: Timer = clock.after(ageOfOne(age), () => {
    connection.aged = true;
    timer = clock.after(age.graceMs, () => connection.socket.destroy());
  });
  return () => timer.cancel();
}

/** The request is answered. */
export function leave({ underway }: HttpConnection, request: Underway): void {
  if (underway[0] === request) underway.shift();
  else {
    const at = underway.indexOf(request);
    if (at >= 0) underway.splice(at, 1);
  }
}
