import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { systemClock } from '@levada/connect-runtime-core';
import { describeProgram, h2spec } from '@levada/test-peers/programs';
import { expect, it, onTestFinished } from 'vitest';
import { NodeConnection } from '../src/http2/guard/node-connection.ts';
import { ResetBudgets } from '../src/http2/guard/reset-budgets.ts';
import {
  type ConnectionHandler,
  type ConnectionOptions,
  type Http2Connection,
  ServerConnection,
} from '../src/http2/guard/server-connection.ts';
import { headerBlock } from '../src/http2/hpack/header-block.ts';
import { usualLimits } from '../src/http2/session/settings.ts';

interface Server {
  readonly Connection: new (socket: Socket, options: ConnectionOptions) => Http2Connection;
  /** Cases that do not pass, with the reason. h2spec tests RFC 7540. */
  readonly failures: Readonly<Record<string, string>>;
}

const servers: Readonly<Record<string, Server>> = {
  levada: {
    Connection: ServerConnection,
    failures: {
      'http2/5.3.1/1':
        'a HEADERS frame that depends on itself: RFC 9113, 5.3.2, removed priorities, and they are ignored',
      'http2/5.3.1/2': 'a PRIORITY frame that depends on itself: the same',
    },
  },
  node: {
    Connection: NodeConnection,
    failures: {
      'http2/5.1/8': 'DATA on a stream that the client reset: nghttp2 ignores it, as RFC 9113, 5.1, permits',
      'http2/5.1/9': 'HEADERS on a stream that the client reset: the same',
      'http2/5.1/11': 'DATA on a stream that is closed: the same',
      'http2/5.1/12': 'HEADERS on a stream that is closed: the same',
      'http2/5.1.1/2': 'a smaller stream identifier: nghttp2 takes it for a closed stream',
      'http2/5.3.1/2': 'a PRIORITY frame that depends on itself: nghttp2 ignores priorities',
      'http2/6.3/1': 'a PRIORITY frame of stream 0: the same',
      'http2/6.7/2': 'a PING with ACK that answers none: Node ends the connection',
      'http2/6.9.1/3': 'a window above 2^31-1 on a stream: nghttp2 ends the connection, not the stream',
    },
  },
};

const head = headerBlock({ ':status': '200', 'content-type': 'text/plain' });
const body = Buffer.from('some text');

/** Answers each request once it is complete. */
const handler: ConnectionHandler = {
  onForeign: () => undefined,
  onRequest: (stream) => {
    stream.listener = {
      onBytes: () => undefined,
      onEnd: () => {
        stream.begin(head);
        stream.send(body);
        stream.end(headerBlock({}));
      },
      onClosed: () => undefined,
      sweep: () => undefined,
      drain: () => undefined,
    };
  },
};

async function openServer({ Connection }: Server): Promise<number> {
  const resets = new ResetBudgets();
  const connections = new Set<Http2Connection>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const connection = new Connection(socket, {
      handler,
      limits: { ...usualLimits, keptHeaders: new Set(), includedHeaders: new Set() },
      resets,
      clock: systemClock,
      maxAgeMs: Number.POSITIVE_INFINITY,
      graceMs: 0,
    });
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const connection of connections) connection.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

describeProgram('the cases of h2spec', h2spec, (run) => {
  it.each(Object.keys(servers))(
    'the cases of h2spec pass over the server of %s, except those listed with a reason',
    async (name) => {
      const server = servers[name] as Server;
      const outcomes = await run()(await openServer(server));
      const failed = outcomes.filter(({ result }) => result !== 'passed');
      const unlisted = failed.filter((one) => server.failures[one.case] === undefined);
      expect(unlisted).toEqual([]);
      expect(failed.map((one) => one.case)).toEqual(Object.keys(server.failures));
      expect(outcomes).toHaveLength(146);
    },
    120_000,
  );
});
