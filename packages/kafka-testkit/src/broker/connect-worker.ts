import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReachableBroker } from './broker.ts';
import { brokerJars, connectorJars } from './broker-jars.ts';
import { javaCommand } from './broker-unavailable.ts';
import { type BrokerVersion, brokerVersions } from './broker-version.ts';
import { freePorts } from './free-port.ts';
import { JvmProcess, jvmFlags } from './jvm-process.ts';

/** A running worker of Kafka Connect itself, in distributed mode. */
export interface JavaWorker {
  /** Base URL of its REST interface, with trailing slash, as it announces it to its group. */
  readonly url: string;
  /** The last lines that it printed. */
  readonly output: string;
  /** SIGSTOP: connections stay open and nothing is answered. */
  pause(): void;
  /** SIGCONT. */
  unpause(): void;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Ends it in order. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts a Java worker on a broker with these worker keys (`group.id`, the three storage topics and converters at least), of
 * the broker's version unless another is given. Resolves when its REST interface serves, in two to four seconds on a quiet
 * machine. It has Kafka's file stream connectors.
 */
export async function startJavaWorker(
  broker: ReachableBroker,
  keys: Readonly<Record<string, string>>,
  version: BrokerVersion = broker.version,
): Promise<JavaWorker> {
  const jars = [await brokerJars(version), await connectorJars(version)];
  const [port] = await freePorts(1);
  const folder = await mkdtemp(join(tmpdir(), 'levada-connect-'));
  const rows = {
    'bootstrap.servers': broker.bootstrap,
    listeners: `http://127.0.0.1:${port}`,
    'rest.advertised.host.name': '127.0.0.1',
    ...keys,
  };
  const properties = join(folder, 'worker.properties');
  await writeFile(
    properties,
    Object.entries(rows)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  const { loggingFlag, loggingConfig } = brokerVersions[version];
  const logging = join(folder, 'logging.properties');
  await writeFile(logging, loggingConfig);
  const args = [
    ...jvmFlags,
    `-D${loggingFlag}=file:${logging}`,
    '-cp',
    jars.map((one) => join(one, '*')).join(':'),
  ];
  const main = 'org.apache.kafka.connect.cli.ConnectDistributed';
  const process = new JvmProcess(javaCommand(), [...args, main, properties], 'Kafka Connect started');
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    await process.end(signal);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await process.ready();
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    get output() {
      return process.output;
    },
    pause: () => process.signal('SIGSTOP'),
    unpause: () => process.signal('SIGCONT'),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
