import { defaultBrokerVersion, freePorts } from '@levada/kafka-testkit';
import { contest } from '../measure/contest.ts';
import type { Log } from '../measure/log.ts';
import type { Contender, RunningSystem } from '../measure/turns.ts';
import type { Table } from '../report/table.ts';
import { buildCollector, collectorUnavailable, startCollector } from '../systems/collector.ts';
import { javaUnavailable, startJavaConnector } from '../systems/java-worker.ts';
import { startLevadaWorker } from '../systems/levada-worker.ts';
import { type ExportLoad, startExports } from '../systems/loads.ts';
import { startConsumer, startReceiver } from '../systems/receivers.ts';
import { type PartRun, ratioOf, throughputCells } from './throughput.ts';

export type Transport = ExportLoad['transport'];
type ExportName = ExportLoad['request'];

/** Which of those that receive exports. */
export type ExportReceiver = 'ours' | 'collector' | 'java' | 'bare';

/** Exports in a closed loop: the next one is sent when one was answered. */
const closedLoop = {
  http: { connections: 16, atOnce: 1, perSecond: 0 },
  grpc: { connections: 8, atOnce: 16, perSecond: 0 },
} as const;

const names: Readonly<Record<ExportReceiver, string>> = {
  ours: 'Levada worker, default configuration',
  collector: 'OpenTelemetry Collector, Kafka exporter',
  java: `Kafka Connect ${defaultBrokerVersion} with a Java connector`,
  bare: 'raw receiver, stores nothing (node:http, node:http2)',
};

/** Seconds of load until the code is compiled. */
const warmUps: Readonly<Record<ExportReceiver, number>> = { ours: 5, collector: 3, java: 15, bare: 2 };

const cases: readonly (readonly [Transport, ExportName, string])[] = [
  ['grpc', 'span100', 'gRPC, 100 spans an export'],
  ['http', 'span100', 'HTTP, 100 spans an export'],
  ['grpc', 'span1', 'gRPC, 1 span an export'],
  ['http', 'span1', 'HTTP, 1 span an export'],
];

/** Exports per second into Kafka as JSON, one record each. */
export async function otlpThroughput({ log, rounds, say }: PartRun): Promise<readonly Table[]> {
  const receivers = ['ours', 'collector', 'java', 'bare'] as const;
  const tables: Table[] = [];
  for (const [transport, request, title] of cases) {
    const load = { transport, request, ...closedLoop[transport] };
    const measured = await contest(exportReceivers({ log, load, timed: false }, receivers), rounds, say);
    const collector = measured[receivers.indexOf('collector')];
    tables.push({
      title: `OTLP over ${title}: exports into Kafka as JSON`,
      note: 'Each connection sends its next export when one was answered. Lost: answered with success and never stored.',
      head: ['', 'exports/s', 'taken/s', 'lost', 'CPU µs per export', 'of the Collector'],
      rows: measured.map((one) => [
        ...throughputCells(one),
        ratioOf(one, collector, ({ perSecond }) => perSecond),
      ]),
      data: measured,
    });
  }
  return tables;
}

/** What is sent, and where it is stored. */
export interface ExportContest {
  readonly log: Log;
  readonly load: Omit<ExportLoad, 'port'>;
  /** Whether a consumer takes the age of what is stored. */
  readonly timed: boolean;
}

/** Builds what takes minutes the first time on a machine. Resolves with the reason where the Collector cannot be built. */
export async function prepareCollector(): Promise<string | undefined> {
  const reason = collectorUnavailable();
  if (reason !== undefined) return reason;
  return buildCollector().then(
    () => undefined,
    (error: Error) => `the Collector cannot be built: ${error.message}`,
  );
}

/** Those that receive exports, in the order of the table. */
export function exportReceivers(
  { log, load, timed }: ExportContest,
  wanted: readonly ExportReceiver[],
): readonly Contender[] {
  return wanted.map((receiver) => ({
    name: names[receiver],
    warmUp: warmUps[receiver],
    unavailable: receiver === 'java' ? javaUnavailable() : undefined,
    open: async () => {
      if (receiver === 'collector') {
        const reason = await prepareCollector();
        if (reason !== undefined) throw new Error(reason);
      }
      const topic = await log.createTopic(`otlp-${receiver}`);
      const { system, port } = await starters[receiver](log, topic, load.transport);
      try {
        const consumer = timed ? await startConsumer(log, topic) : undefined;
        return { system, load: startExports({ ...load, port }), consumer };
      } catch (error) {
        await system.stop();
        throw error;
      }
    },
  }));
}

interface Started {
  readonly system: RunningSystem;
  readonly port: number;
}

type Start = (log: Log, topic: string, transport: Transport) => Promise<Started>;

const starters: Readonly<Record<ExportReceiver, Start>> = {
  ours: async (log, topic, transport) => {
    const [grpc = 0, http = 0] = await freePorts(2);
    const port = { grpc, http };
    const config = {
      'connector.class': 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
      'otlp.bind.address': '127.0.0.1',
      'otlp.grpc.port': String(port.grpc),
      'otlp.http.port': String(port.http),
      'platform.topic.traces': topic,
    };
    return { system: await startLevadaWorker(log, { topic, config }), port: port[transport] };
  },
  collector: async (log, topic, transport) => {
    const { system, grpcPort, httpPort } = await startCollector(log, topic);
    return { system, port: transport === 'grpc' ? grpcPort : httpPort };
  },
  java: async (log, topic, transport) => {
    const [grpc = 0, http = 0] = await freePorts(2);
    const port = { grpc, http };
    const config = {
      'connector.class': 'OtlpConnector',
      'grpc.port': String(port.grpc),
      'http.port': String(port.http),
    };
    return { system: await startJavaConnector(log, { topic, config }), port: port[transport] };
  },
  bare: async (_log, _topic, transport) => {
    const { system, line } = await startReceiver('otlp-receiver', [transport]);
    return { system, port: Number(line) };
  },
};
