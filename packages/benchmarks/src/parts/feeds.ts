import { defaultBrokerVersion } from '@levada/kafka-testkit';
// Those that read a feed: one table of rows for each protocol.
import type { Log } from '../measure/log.ts';
import type { Contender, Pair, RunningSystem } from '../measure/turns.ts';
import { javaUnavailable, startJavaConnector, tunedProducer } from '../systems/java-worker.ts';
import { startLevadaWorker } from '../systems/levada-worker.ts';
import { type Feed, type FeedRate, startGrpcFeed, startWebSocketFeed } from '../systems/loads.ts';
import { startConsumer, startReceiver } from '../systems/receivers.ts';
import { grpcConfigs } from './grpc-configs.ts';

export type FeedName = 'websocket' | 'grpc';

/** Which of those that read a feed. */
export type FeedReader = 'ours' | 'block' | 'least' | 'bare' | 'java' | 'tuned' | 'engine';

/** Configurations of connectors for a feed at a port. */
export interface FeedConfigs {
  readonly ours: (port: number, topic: string) => Readonly<Record<string, string>>;
  readonly block: Readonly<Record<string, string>>;
  readonly java: (port: number) => Readonly<Record<string, string>>;
  /** Arguments of the receiver, without those that say where it stores. */
  readonly receiver: readonly string[];
  /** Arguments of the receiver after broker and topic. */
  readonly storing: readonly string[];
}

const websocketConfigs: FeedConfigs = {
  ours: (port, topic) => ({
    'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
    'websocket.url': `ws://127.0.0.1:${port}/`,
    'platform.topic': topic,
  }),
  block: { 'websocket.queue.full.policy': 'block' },
  java: (port) => ({ 'connector.class': 'WebSocketConnector', url: `ws://127.0.0.1:${port}/` }),
  receiver: [],
  storing: [],
};

/** Seconds of load until the code is compiled. */
const WARM_UP = { node: 5, java: 20 } as const;

/** What the receivers that are no connectors are made with. */
const libraries: Readonly<Record<FeedName, string>> = { websocket: 'ws', grpc: 'node:http2' };

const names: Readonly<Record<FeedReader, string>> = {
  ours: 'Levada worker, default configuration',
  block: 'Levada worker, queue.full.policy=block',
  least: 'least program that stores in Kafka',
  bare: 'raw receiver, stores nothing',
  java: `Kafka Connect ${defaultBrokerVersion} with a Java connector`,
  tuned: 'the same, producer tuned for throughput',
  engine: 'stream engine in Go (Redpanda Connect)',
};

const ENGINE =
  'its Go modules are not given by the public module proxy, so that it cannot be built from there';

/** Those that read a feed into a log, in the order of the table. */
export function feedReaders(
  { name, log, rate, timed }: FeedContest,
  wanted: readonly FeedReader[],
): readonly Contender[] {
  const configs = name === 'grpc' ? grpcConfigs() : websocketConfigs;
  const startFeed = name === 'grpc' ? startGrpcFeed : startWebSocketFeed;
  return wanted.map((reader) => {
    const java = reader === 'java' || reader === 'tuned';
    const raw = reader === 'least' || reader === 'bare';
    return {
      name: raw ? `${names[reader]} (${libraries[name]})` : names[reader],
      warmUp: java ? WARM_UP.java : WARM_UP.node,
      unavailable: reader === 'engine' ? ENGINE : java ? javaUnavailable() : undefined,
      open: async () => {
        const topic = await log.createTopic(`${name}-${reader}`);
        const feed = await startFeed(rate);
        return await reading(feed, timed ? { log, topic } : undefined, () =>
          starters[reader]({ log, topic, configs, name, port: feed.port }),
        );
      },
    };
  });
}

/** What is read, and where to. */
export interface FeedContest {
  readonly name: FeedName;
  readonly log: Log;
  readonly rate: FeedRate;
  /** Whether a consumer takes the age of what is stored. */
  readonly timed: boolean;
}

interface Start {
  readonly name: FeedName;
  readonly log: Log;
  readonly topic: string;
  readonly configs: FeedConfigs;
  readonly port: number;
}

const starters: Readonly<Record<FeedReader, (start: Start) => Promise<RunningSystem>>> = {
  ours: ({ log, topic, configs, port }) =>
    startLevadaWorker(log, { topic, config: configs.ours(port, topic) }),
  block: ({ log, topic, configs, port }) =>
    startLevadaWorker(log, { topic, config: { ...configs.ours(port, topic), ...configs.block } }),
  least: async ({ log, topic, configs, name, port }) => {
    const place = [log.broker.bootstrap, topic, ...configs.storing];
    const { system } = await startReceiver(`${name}-receiver`, [port, ...configs.receiver, ...place]);
    return { ...system, stored: () => log.stored(topic) };
  },
  bare: async ({ configs, name, port }) =>
    (await startReceiver(`${name}-receiver`, [port, ...configs.receiver])).system,
  java: ({ log, topic, configs, port }) => startJavaConnector(log, { topic, config: configs.java(port) }),
  tuned: ({ log, topic, configs, port }) =>
    startJavaConnector(log, { topic, config: { ...configs.java(port), ...tunedProducer } }),
  engine: () => Promise.reject(new Error(ENGINE)),
};

/** Starts what reads a feed, and the consumer if there is one; ends everything when one does not start. */
async function reading(
  { load }: Feed,
  consumed: { readonly log: Log; readonly topic: string } | undefined,
  start: () => Promise<RunningSystem>,
): Promise<Pair> {
  let system: RunningSystem | undefined;
  try {
    system = await start();
    const consumer = consumed === undefined ? undefined : await startConsumer(consumed.log, consumed.topic);
    return { system, load, consumer };
  } catch (error) {
    await Promise.all([system?.stop(), load.stop()]);
    throw error;
  }
}
