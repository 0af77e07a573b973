import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReachableBroker } from './broker.ts';
import { brokerJars, connectorJars } from './broker-jars.ts';
import { javaCommand } from './broker-unavailable.ts';
import { type BrokerVersion, brokerVersions } from './broker-version.ts';
import { freePorts } from './free-port.ts';
import { type JvmLaunch, JvmProcess, jvmFlags } from './jvm-process.ts';

/** A running worker of Kafka Connect itself, in distributed mode. */
export interface JavaWorker {
  /** Base URL of its REST interface, with trailing slash, as it announces it to its group. */
  readonly url: string;
  /** Port of its JMX agent on loopback, which asks for no password; undefined when it was started without. */
  readonly jmxPort: number | undefined;
  readonly pid: number;
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

/** How to start a {@link JavaWorker}. */
export interface JavaWorkerOptions {
  /** Default: that of the broker. */
  readonly version?: BrokerVersion | undefined;
  /** Whether it has a JMX agent. Default: false. */
  readonly jmx?: boolean;
  /** Default: small and quick to start. */
  readonly jvm?: JvmLaunch;
  /** Folders of classes and of jars (`<folder>/*`) with further connectors. Default: none. */
  readonly classpath?: readonly string[];
}

/**
 * Starts a Java worker on a broker with these worker keys (`group.id`, the three storage topics and converters at least).
 * Resolves when its REST interface serves, in two to four seconds on a quiet
 * machine. It has Kafka's file stream connectors.
 */
export async function startJavaWorker(
  broker: ReachableBroker,
  keys: Readonly<Record<string, string>>,
  { version = broker.version, jmx = false, jvm = {}, classpath = [] }: JavaWorkerOptions = {},
): Promise<JavaWorker> {
  const jars = [await brokerJars(version), await connectorJars(version)];
  const [port, jmxPort] = await freePorts(jmx ? 2 : 1);
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
    ...(jvm.flags ?? jvmFlags),
    `-D${loggingFlag}=file:${logging}`,
    ...(jmxPort === undefined ? [] : jmxFlags(jmxPort)),
    '-cp',
    [...jars.map((one) => join(one, '*')), ...classpath].join(':'),
  ];
  const main = 'org.apache.kafka.connect.cli.ConnectDistributed';
  const command = [...(jvm.launcher ?? []), javaCommand()];
  const process = new JvmProcess(command, [...args, main, properties], 'Kafka Connect started');
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    await process.end(signal);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await process.ready(jvm.startLimitMs);
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    jmxPort,
    pid: process.pid,
    get output() {
      return process.output;
    },
    pause: () => process.signal('SIGSTOP'),
    unpause: () => process.signal('SIGCONT'),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

function jmxFlags(port: number): readonly string[] {
  const settings = { port, 'rmi.port': port, host: '127.0.0.1', authenticate: false, ssl: false };
  const flags = Object.entries(settings).map(
    ([key, value]) => `-Dcom.sun.management.jmxremote.${key}=${value}`,
  );
  return [...flags, '-Djava.rmi.server.hostname=127.0.0.1'];
}
