import { createServer, type Socket } from 'node:net';
import type { ReachableBroker } from '../broker/broker.ts';
import type { ProduceRefusal } from './produce-refusal.ts';
import { type ProxiedConnection, proxyConnection } from './proxied-connection.ts';
import { ProxyFaults, type ResponseChange } from './proxy-faults.ts';

export type { ProduceRefusal } from './produce-refusal.ts';

/** A man in the middle between a client and a broker that knows Kafka's frames. Api keys are Kafka's numbers (Produce is 0). */
export interface KafkaProxy {
  /** `host:port`; clients that start here stay here. */
  readonly bootstrap: string;
  /** Forwards the next requests of this kind, swallows their responses and resets the connection, so that their outcome is unknown. */
  dropResponses(apiKey: number, times: number): void;
  /** Holds back every response of this kind, or of every kind, by this much; 0 ends it. */
  delay(ms: number, apiKey?: number): void;
  /** Resets all connections once. */
  reset(): void;
  /** Resets all connections every so many milliseconds; 0 ends it. */
  resetEvery(ms: number): void;
  /** Connections are accepted, and nothing passes. What was held back passes when it ends. */
  blackhole(on: boolean): void;
  /** Refuses connections, and resets those that exist. */
  down(on: boolean): void;
  /** Answers the next produce requests in the broker's place. */
  refuseProduce(refusal: ProduceRefusal): void;
  /** Lets a test write into the next responses of this kind, given as frames, before they pass. */
  changeResponses(apiKey: number, times: number, change: ResponseChange): void;
  /** Requests of this kind that arrived so far. */
  requests(apiKey: number): number;
  /** Responses swallowed so far. */
  readonly dropped: number;
  /** Connections made so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/** Starts the proxy of a broker; each broker has room for one. */
export async function startKafkaProxy(broker: ReachableBroker): Promise<KafkaProxy> {
  const faults = new ProxyFaults();
  const live = new Set<ProxiedConnection>();
  let connections = 0;
  let resetTimer: NodeJS.Timeout | undefined;
  const server = createServer((socket) => {
    if (faults.refusing) {
      socket.resetAndDestroy();
      return;
    }
    connections += 1;
    accept(socket);
  });
  const accept = (socket: Socket): void => {
    const connection = proxyConnection({ client: socket, brokerPort: broker.proxied.broker, faults });
    live.add(connection);
    socket.once('close', () => live.delete(connection));
  };
  const resetAll = (): void => {
    for (const connection of live) connection.reset();
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(broker.proxied.client, '127.0.0.1', resolve);
  });
  return {
    bootstrap: `127.0.0.1:${broker.proxied.client}`,
    dropResponses: (apiKey, times) => faults.dropResponses(apiKey, times),
    delay: (ms, apiKey) => faults.delay(ms, apiKey),
    reset: resetAll,
    resetEvery: (ms) => {
      clearInterval(resetTimer);
      if (ms > 0) resetTimer = setInterval(resetAll, ms);
    },
    blackhole: (on) => {
      faults.holding = on;
      if (!on) for (const connection of live) connection.release();
    },
    down: (on) => {
      faults.refusing = on;
      if (on) resetAll();
    },
    refuseProduce: (refusal) => faults.refuseProduce(refusal),
    changeResponses: (apiKey, times, change) => faults.changeResponses(apiKey, times, change),
    requests: (apiKey) => faults.requests(apiKey),
    get dropped() {
      return faults.dropped;
    },
    get connections() {
      return connections;
    },
    close: async () => {
      clearInterval(resetTimer);
      resetAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
