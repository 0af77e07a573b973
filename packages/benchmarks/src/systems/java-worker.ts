import { fileURLToPath } from 'node:url';
import { startJavaWorker } from '@levada/kafka-testkit';
import { javaBuild } from '@levada/test-peers/programs';
import { launcherOn } from '../measure/cores.ts';
import type { Log } from '../measure/log.ts';
import type { RunningSystem } from '../measure/turns.ts';
import type { ConnectorStart } from './levada-worker.ts';
import { createConnector, workerKeys } from './rest.ts';

/** What Kafka's own scripts start a worker with. */
const WORKER_FLAGS = [
  '-Xms256M',
  '-Xmx2G',
  '-server',
  '-XX:+UseG1GC',
  '-XX:MaxGCPauseMillis=20',
  '-XX:InitiatingHeapOccupancyPercent=35',
  '-XX:+ExplicitGCInvokesConcurrent',
  '-Djava.awt.headless=true',
];

/** Keys of a connector that let its producer fill larger batches, as operators set them for throughput. */
export const tunedProducer = {
  'producer.override.linger.ms': '5',
  'producer.override.batch.size': '262144',
  'producer.override.buffer.memory': '134217728',
} as const;

/** On one core, that others may use, too. */
const START_LIMIT_MS = 240_000;

const connectors = javaBuild({
  folder: fileURLToPath(new URL('../../java', import.meta.url)),
  mainClass: 'none',
  what: 'source connectors',
});

/** Why no Java worker can be started, as one line. */
export const javaUnavailable = connectors.unavailable;

/** The worker of Kafka Connect itself, as Kafka's scripts start it, and one of the connectors of the folder `java`. */
export async function startJavaConnector(
  log: Log,
  { topic, config }: ConnectorStart,
): Promise<RunningSystem> {
  const command = await connectors.command();
  const classpath = command[command.indexOf('-cp') + 1] ?? '';
  const worker = await startJavaWorker(log.broker, workerKeys(`java-${topic}`), {
    jvm: { flags: WORKER_FLAGS, launcher: launcherOn('measured'), startLimitMs: START_LIMIT_MS },
    classpath: classpath.split(':'),
  });
  try {
    await createConnector(worker.url, topic, { 'tasks.max': '1', topic, ...config });
  } catch (error) {
    await worker.stop();
    throw error;
  }
  return {
    pid: worker.pid,
    output: () => worker.output,
    stored: () => log.stored(topic),
    stop: () => worker.kill(),
  };
}
