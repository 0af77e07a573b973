import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@levada/kafka-testkit';
import { goBuild } from '@levada/test-peers/programs';
import type { Log } from '../measure/log.ts';
import { startProgram } from '../measure/program.ts';
import type { RunningSystem } from '../measure/turns.ts';

const START_LIMIT_MS = 30_000;
const LOOK_MS = 20;

const collector = goBuild({
  folder: fileURLToPath(new URL('../../collector', import.meta.url)),
  oldest: 25,
  what: 'OpenTelemetry Collector',
  optimized: true,
});

/** Why no Collector can be built, as one line. */
export const collectorUnavailable = collector.unavailable;

/** Builds the Collector, the first time on a machine in minutes. Rejects when a registry does not have its modules. */
export const buildCollector = collector.command;

/** The Collector with the defaults of its OTLP receiver and of its Kafka exporter, to JSON; one export is one record. */
export async function startCollector(
  log: Log,
  topic: string,
): Promise<{ readonly system: RunningSystem; readonly grpcPort: number; readonly httpPort: number }> {
  const [file] = await buildCollector();
  const [grpcPort = 0, httpPort = 0] = await freePorts(2);
  const folder = await mkdtemp(join(tmpdir(), 'levada-collector-'));
  const config = join(folder, 'config.yaml');
  await writeFile(config, configuration({ bootstrap: log.broker.bootstrap, topic, grpcPort, httpPort }));
  const program = startProgram({
    name: 'the Collector',
    core: 'measured',
    command: [file, '--config', config],
  });
  const stop = async (): Promise<void> => {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  for (const port of [grpcPort, httpPort])
    await listening(port).catch(async (error: unknown) => {
      await stop();
      throw new Error(`the Collector did not start:\n${program.output()}`, { cause: error });
    });
  const system = { pid: program.pid, output: program.output, stored: () => log.stored(topic), stop };
  return { system, grpcPort, httpPort };
}

/** Resolves when something takes connections at a port. */
async function listening(port: number): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const taken = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (taken) return;
    if (performance.now() > deadline) throw new Error(`nothing listens on port ${port}`);
    await sleep(LOOK_MS);
  }
}

interface Places {
  readonly bootstrap: string;
  readonly topic: string;
  readonly grpcPort: number;
  readonly httpPort: number;
}

function configuration({ bootstrap, topic, grpcPort, httpPort }: Places): string {
  return `receivers:
  otlp:
    protocols:
      grpc:
        endpoint: 127.0.0.1:${grpcPort}
      http:
        endpoint: 127.0.0.1:${httpPort}
exporters:
  kafka:
    brokers: ["${bootstrap}"]
    traces:
      topic: ${topic}
      encoding: otlp_json
service:
  telemetry:
    metrics:
      level: none
    logs:
      level: error
  pipelines:
    traces:
      receivers: [otlp]
      exporters: [kafka]
`;
}
