import { appendFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventBytes, type ServerCall, startStreamServer } from '@levada/test-peers/grpc';
import { WebSocketServer } from 'ws';
import { grpcConfig } from '../end-to-end/grpc-feed.ts';
import { otlpConfig, otlpPorts } from '../end-to-end/otlp-connector.ts';
import { exportId, numberedExport } from '../end-to-end/otlp-numbered.ts';
import { connectionMessage, problemsOfConnections, problemsOfExports, problemsOfFile } from './sequences.ts';

/** Something that sends numbered data to one connector, wherever its task runs. */
export interface Load {
  /** Name of the connector and of its topic. */
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
  /** Data that were sent, so that a test can wait for more. */
  readonly sent: () => number;
  /** Sends nothing from now on; resolves when nothing is on its way. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** What is wrong with the values in the topic, in order. `takeovers`: how often its task may have moved. */
  readonly problems: (values: readonly string[], takeovers: number) => readonly string[];
}

/** Milliseconds between two messages of a load. */
const INTERVAL_MS = 25;

/** Quick reconnecting and no waiting, so that a test need not wait either. */
const quickly = { 'websocket.reconnect.interval.ms': '100' } as const;

/** A WebSocket server; each connection counts from 0. */
export async function webSocketLoad(name: string): Promise<Load> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const feed = connectionFeed();
  server.on('connection', (socket) => {
    const end = feed.open((text) => socket.send(text));
    socket.on('close', end).on('error', end);
  });
  const { port } = server.address() as AddressInfo;
  return {
    name,
    config: {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'tasks.max': '1',
      'websocket.url': `ws://127.0.0.1:${port}/`,
      'platform.topic': name,
      ...quickly,
    },
    ...feed,
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
    problems: problemsOfConnections,
  };
}

/** A gRPC server; each call counts from 0. */
export async function grpcLoad(name: string): Promise<Load> {
  const feed = connectionFeed();
  const onCall = (call: ServerCall): void => {
    const end = feed.open((payload, number) => {
      if (call.cancelled()) end();
      else call.send(eventBytes({ payload, sequence: BigInt(number) }));
    });
  };
  const server = await startStreamServer({ onCall });
  return {
    name,
    config: grpcConfig(server.port, { 'platform.topic': name, 'grpc.reconnect.interval.ms': '100' }),
    ...feed,
    close: () => server.close(),
    problems: problemsOfConnections,
  };
}

/** A file that grows by a line at a time. */
export function fileLoad(name: string, folder: string): Promise<Load> {
  const file = join(folder, name);
  let next = 0;
  const timer = setInterval(() => {
    appendFileSync(file, `${next}\n`);
    next += 1;
  }, INTERVAL_MS);
  const stop = async (): Promise<void> => clearInterval(timer);
  return Promise.resolve({
    name,
    config: {
      'connector.class': 'org.apache.kafka.connect.file.FileStreamSourceConnector',
      'tasks.max': '1',
      file,
      topic: name,
    },
    sent: () => next,
    stop,
    close: stop,
    problems: problemsOfFile,
  });
}

/** A sender of traces over HTTP that repeats an export until it is acknowledged, at each of these addresses in turn. */
export async function otlpLoad(name: string, addresses: () => readonly string[]): Promise<Load> {
  const ports = await otlpPorts();
  const exports = new Map<string, { attempts: number; acknowledged: boolean }>();
  let stopped = false;
  let turn = 0;
  const run = async (): Promise<void> => {
    for (let number = 0; !stopped; number += 1) {
      const id = `${name}-${number}`;
      const state = { attempts: 0, acknowledged: false };
      exports.set(id, state);
      const { json } = numberedExport('traces', id);
      while (!state.acknowledged && !stopped) {
        const all = addresses();
        state.attempts += 1;
        state.acknowledged = await posted(`http://${all[turn % all.length]}:${ports.http}/v1/traces`, json);
        if (!state.acknowledged) turn += 1;
        await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
      }
    }
  };
  const running = run();
  const stop = async (): Promise<void> => {
    stopped = true;
    await running;
  };
  return {
    name,
    config: otlpConfig(ports, {
      'otlp.bind.address': `\${env:${addressVariable}}`,
      'platform.topic.traces': name,
      // Answered when it is stored, so that what was answered is never lost.
      'otlp.ack.mode': 'produced',
    }),
    sent: () => exports.size,
    stop,
    close: stop,
    problems: (values) => problemsOfExports(values.map(exportId), exports),
  };
}

/** The variable of a worker's environment that holds the address of its host; here, one of the loopback network. */
export const addressVariable = 'WORKER_ADDRESS';

async function posted(url: string, body: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(1_000),
    });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Connections that are sent a message at a time, each counting from 0. */
function connectionFeed() {
  let connections = 0;
  let sent = 0;
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  return {
    sent: () => sent,
    /** A connection was opened; returns what is to be called when it is closed. */
    open: (send: (text: string, number: number) => void): (() => void) => {
      const connection = connections;
      connections += 1;
      let number = 0;
      const timer = setInterval(() => {
        if (stopped) return;
        send(connectionMessage(connection, number), number);
        number += 1;
        sent += 1;
      }, INTERVAL_MS);
      timers.add(timer);
      return () => {
        clearInterval(timer);
        timers.delete(timer);
      };
    },
    stop: async () => {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
    },
  };
}
