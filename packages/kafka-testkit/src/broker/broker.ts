import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokerJars } from './broker-jars.ts';
import { type Listener, type ListenerName, serverProperties } from './broker-settings.ts';
import { javaCommand } from './broker-unavailable.ts';
import { type BrokerVersion, brokerVersions } from './broker-version.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { makeDataFolder, newId } from './data-folder.ts';
import { freePorts } from './free-port.ts';
import { JvmProcess, jvmFlags } from './jvm-process.ts';

/** How a broker is to be. */
export interface BrokerOptions {
  /** Default: 3.9.1. */
  readonly version?: BrokerVersion;
  /** Keeps the data here; it stays after {@link Broker.stop}. Default: a temporary folder, removed at stop. */
  readonly folder?: string;
  /** Adds a listener with TLS; `client-certificate` asks clients for one. Default: false. */
  readonly tls?: boolean | 'client-certificate';
  /** Adds a listener with SASL (and one with both, when `tls` is set). Default: false. */
  readonly sasl?: boolean;
  /** Gives rights to nobody but the user `levada` and clients without a name. Default: false. */
  readonly authorizer?: boolean;
  /** Default: true, as Kafka's. */
  readonly autoCreateTopics?: boolean;
  /** Further rows of `server.properties`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running broker on 127.0.0.1, that is a controller too. */
export interface Broker {
  readonly version: BrokerVersion;
  /** `host:port` without TLS or SASL. */
  readonly bootstrap: string;
  /** What a proxy listens on and forwards to: clients that start at `client` are told to stay there. */
  readonly proxied: { readonly client: number; readonly broker: number };
  /** `host:port` of a listener that the options asked for. */
  endpoint(name: ListenerName): string;
  /** Present with `tls`. */
  readonly certificates: Certificates | undefined;
  readonly folder: string;
  readonly pid: number;
  readonly running: boolean;
  /** The last lines that the broker printed. */
  readonly output: string;
  /** SIGKILL; resolves when the process is gone. The folder stays. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing is answered. */
  pause(): void;
  /** SIGCONT. */
  unpause(): void;
  /** Starts it again on the same folder and ports, after a kill or, when it still runs, after an orderly end. */
  restart(): Promise<void>;
  /** Ends it in order and removes a temporary folder. Idempotent. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The place of a broker in its cluster. */
export interface ClusterPlace {
  readonly nodeId: number;
  readonly clusterId: string;
  /** Ports of the controllers of all nodes, by node id from 1 on. */
  readonly controllerPorts: readonly number[];
}

/** Starts a broker alone and resolves when it serves, in two to three seconds once its jars are on this machine. */
export async function startBroker(options: BrokerOptions = {}): Promise<Broker> {
  const controllerPorts = await freePorts(1);
  return await startNode(options, { nodeId: 1, clusterId: newId(), controllerPorts });
}

/** As {@link startBroker}, for one of several; it serves once most of them run. */
export async function startNode(options: BrokerOptions, place: ClusterPlace): Promise<Broker> {
  const version = options.version ?? '3.9.1';
  const jars = await brokerJars(version);
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'levada-kafka-')));
  await mkdir(folder, { recursive: true });
  const [clientPort = 0, ...ports] = await freePorts(6);
  const listeners = listenersOf(options, { clientPort, ports });
  const certificates = options.tls ? await makeCertificates(folder) : undefined;
  const dataFolder = join(folder, 'data');
  if (!existsSync(dataFolder)) await makeDataFolder(version, dataFolder, place);
  const logging = join(folder, 'logging.properties');
  await writeFile(logging, brokerVersions[version].loggingConfig);
  const properties = join(folder, 'server.properties');
  const text = serverProperties({
    dataFolder,
    nodeId: place.nodeId,
    controllerPorts: place.controllerPorts,
    listeners,
    ...(certificates === undefined ? {} : { certificates }),
    clientCertificateRequired: options.tls === 'client-certificate',
    authorizer: options.authorizer ?? false,
    autoCreateTopics: options.autoCreateTopics ?? true,
    extra: options.settings ?? {},
  });
  await writeFile(properties, text, { mode: 0o600 });
  const logFlag = `-D${brokerVersions[version].loggingFlag}=file:${logging}`;
  const args = [...jvmFlags, logFlag, '-cp', join(jars, '*'), 'kafka.Kafka', properties];
  const launch = (): JvmProcess => new JvmProcess(javaCommand(), args, 'Kafka Server started');
  const temporary = options.folder === undefined;
  const broker = new RunningBroker({ version, folder, listeners, certificates, launch, temporary });
  await broker.started();
  return broker;
}

interface PortChoice {
  readonly clientPort: number;
  readonly ports: readonly number[];
}

function listenersOf(options: BrokerOptions, { clientPort, ports }: PortChoice): readonly Listener[] {
  const names: ListenerName[] = ['PLAINTEXT', 'PROXIED'];
  if (options.tls) names.push('SSL');
  if (options.sasl) names.push('SASL_PLAINTEXT');
  if (options.tls && options.sasl) names.push('SASL_SSL');
  return names.map((name, index) => {
    const port = ports[index] ?? 0;
    return { name, port, advertisedPort: name === 'PROXIED' ? clientPort : port };
  });
}

interface BrokerParts {
  readonly version: BrokerVersion;
  readonly folder: string;
  readonly listeners: readonly Listener[];
  readonly certificates: Certificates | undefined;
  readonly launch: () => JvmProcess;
  readonly temporary: boolean;
}

class RunningBroker implements Broker {
  readonly version: BrokerVersion;
  readonly folder: string;
  readonly certificates: Certificates | undefined;
  readonly #parts: BrokerParts;
  #process: JvmProcess;

  constructor(parts: BrokerParts) {
    this.version = parts.version;
    this.folder = parts.folder;
    this.certificates = parts.certificates;
    this.#parts = parts;
    this.#process = parts.launch();
  }

  get bootstrap(): string {
    return this.endpoint('PLAINTEXT');
  }

  get proxied(): { readonly client: number; readonly broker: number } {
    const { port, advertisedPort } = this.#listener('PROXIED');
    return { client: advertisedPort, broker: port };
  }

  get pid(): number {
    return this.#process.pid;
  }

  get running(): boolean {
    return this.#process.running;
  }

  get output(): string {
    return this.#process.output;
  }

  endpoint(name: ListenerName): string {
    return `127.0.0.1:${this.#listener(name).port}`;
  }

  /** A broker that cannot start leaves nothing behind. */
  async started(): Promise<void> {
    try {
      await this.#process.ready();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async kill(): Promise<void> {
    await this.#process.end('SIGKILL');
  }

  pause(): void {
    this.#process.signal('SIGSTOP');
  }

  unpause(): void {
    this.#process.signal('SIGCONT');
  }

  async restart(): Promise<void> {
    if (this.#process.running) await this.#process.end('SIGTERM');
    this.#process = this.#parts.launch();
    await this.#process.ready();
  }

  async stop(): Promise<void> {
    this.unpause();
    // What a temporary folder holds needs no orderly end, and that takes a broker two seconds.
    await this.#process.end(this.#parts.temporary ? 'SIGKILL' : 'SIGTERM');
    if (this.#parts.temporary) await rm(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #listener(name: ListenerName): Listener {
    const listener = this.#parts.listeners.find((candidate) => candidate.name === name);
    if (listener === undefined) throw new Error(`the broker was started without a listener "${name}"`);
    return listener;
  }
}
