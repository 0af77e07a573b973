import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokerArguments, READY } from './broker-arguments.ts';
import { type Listener, type ListenerName, serverProperties } from './broker-settings.ts';
import { javaCommand } from './broker-unavailable.ts';
import { type BrokerVersion, defaultBrokerVersion } from './broker-version.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { classArchive } from './class-archive.ts';
import { makeDataFolder, newId } from './data-folder.ts';
import { freePorts } from './free-port.ts';
import { type JvmLaunch, JvmProcess } from './jvm-process.ts';

export interface BrokerOptions {
  /** Default: {@link defaultBrokerVersion}. */
  readonly version?: BrokerVersion;
  /** Keeps the data here; it stays after {@link Broker.stop}. Default: a temporary folder, removed at stop. */
  readonly folder?: string;
  /** Adds a listener with TLS; `client-certificate` asks clients for one. Default: false. */
  readonly tls?: boolean | 'client-certificate';
  /** Adds a listener with SASL (and one with both, when `tls` is set). Default: false. */
  readonly sasl?: boolean;
  /** Gives rights only to the user `levada` and to clients without a name. Default: false. */
  readonly authorizer?: boolean;
  /** Default: true, as Kafka's. */
  readonly autoCreateTopics?: boolean;
  /** How many proxies can be used at the same time. Default: 1. */
  readonly proxies?: number;
  /** Further rows of `server.properties`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: small and quick to start. */
  readonly jvm?: JvmLaunch;
}

/** What a proxy listens on and forwards to: clients that start at `client` get that address for all brokers. */
export interface ProxyPorts {
  readonly client: number;
  readonly broker: number;
}

/** A broker as its clients know it. */
export interface ReachableBroker {
  readonly version: BrokerVersion;
  /** `host:port` without TLS or SASL. */
  readonly bootstrap: string;
  readonly proxied: ProxyPorts;
  /** `host:port` of a listener that the options asked for. */
  endpoint(name: ListenerName): string;
  /** Present with `tls`. */
  readonly certificates: Certificates | undefined;
  readonly folder: string;
}

/** A running broker on 127.0.0.1, that is a controller too. */
export interface Broker extends ReachableBroker {
  /** Ports of each proxy that the options asked for; `proxied` is the first. */
  readonly proxies: readonly ProxyPorts[];
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

const MOST_STARTS = 3;

/** Starts a broker alone and resolves when it serves, in two to three seconds once its jars are on this machine. */
export async function startBroker(options: BrokerOptions = {}): Promise<Broker> {
  for (let attempt = 1; ; attempt += 1) {
    const controllerPorts = await freePorts(1);
    try {
      return await startNode(options, { nodeId: 1, clusterId: newId(), controllerPorts });
    } catch (error) {
      // Between the look for free ports and the broker's own, which is seconds later, another test may take one.
      if (attempt === MOST_STARTS || !String(error).includes('Address already in use')) throw error;
    }
  }
}

/** Starts one of several brokers of a cluster. It serves once most of them run. */
export async function startNode(options: BrokerOptions, place: ClusterPlace): Promise<Broker> {
  const version = options.version ?? defaultBrokerVersion;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'levada-kafka-')));
  await mkdir(folder, { recursive: true });
  const listeners = await listenersOf(options);
  const certificates = options.tls ? await makeCertificates(folder) : undefined;
  const dataFolder = join(folder, 'data');
  if (!existsSync(dataFolder)) await makeDataFolder(version, dataFolder, place);
  const properties = serverProperties({
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
  const args = await brokerArguments({ version, folder, properties, jvm: options.jvm });
  const archive = `-XX:SharedArchiveFile=${await classArchive(version)}`;
  const command = [...(options.jvm?.launcher ?? []), javaCommand()];
  const launch = (): JvmProcess => new JvmProcess(command, [archive, ...args], READY);
  const temporary = options.folder === undefined;
  const broker = new RunningBroker({ version, folder, listeners, certificates, launch, temporary });
  try {
    await broker.started();
  } catch (error) {
    await broker.stop();
    throw error;
  }
  return broker;
}

async function listenersOf({ proxies = 1, tls, sasl }: BrokerOptions): Promise<readonly Listener[]> {
  const names: ListenerName[] = ['PLAINTEXT'];
  if (tls) names.push('SSL');
  if (sasl) names.push('SASL_PLAINTEXT');
  if (tls && sasl) names.push('SASL_SSL');
  const ports = await freePorts(names.length + 2 * proxies);
  const port = (index: number): number => ports[index] ?? 0;
  const listeners = names.map((name, index) => ({ name, port: port(index), advertisedPort: port(index) }));
  for (let proxy = 0; proxy < proxies; proxy += 1) {
    const index = names.length + 2 * proxy;
    listeners.push({ name: `PROXIED_${proxy}`, port: port(index), advertisedPort: port(index + 1) });
  }
  return listeners;
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

  get proxied(): ProxyPorts {
    const [first] = this.proxies;
    if (first === undefined) throw new Error('the broker was started without a proxy');
    return first;
  }

  get proxies(): readonly ProxyPorts[] {
    return this.#parts.listeners
      .filter(({ name }) => name.startsWith('PROXIED_'))
      .map(({ port, advertisedPort }) => ({ client: advertisedPort, broker: port }));
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

  /** Resolves when the broker is ready; cleans up when it cannot start. */
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
