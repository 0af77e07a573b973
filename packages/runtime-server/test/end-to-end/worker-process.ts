import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';

/** One line of a worker's log. */
export type LoggedLine = Readonly<Record<string, unknown>>;

/** An answer of the REST interface. */
export interface Answer {
  readonly status: number;
  /** Headers and body, as they came. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  readonly json: any;
}

/** Attributes of one connector, by name. */
export type Attributes = Readonly<Record<string, number>>;

/** How a process ended: its exit code, or the signal that ended it. */
export type ProcessEnd = number | string;

/** What an operator starts: the built command with a configuration file, in a process of its own. */
export interface WorkerProcess {
  readonly lines: readonly LoggedLine[];
  /** Everything that it printed. */
  output(): string;
  /** What it wrote to standard error. */
  errors(): string;
  /** Lines of its log with this event. */
  logged(event: string): readonly LoggedLine[];
  /** Base URL of the REST interface, as soon as it listens. */
  url(): Promise<string>;
  /** Waits until it has completed its start. */
  ready(): Promise<void>;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Present attributes of a connector. */
  attributes(connector: string): Promise<Attributes>;
  /** Waits until the connector and all its tasks, at least one, are in this state. */
  untilState(connector: string, state: string): Promise<void>;
  /** Waits until the first task is in this state, and resolves with its trace. */
  untilTask(connector: string, state: string): Promise<string | undefined>;
  /** Waits until an attribute fits. */
  untilAttribute(connector: string, name: string, fits: (value: number) => boolean): Promise<Attributes>;
  /** Resident memory now, in bytes. */
  residentBytes(): number;
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  readonly ended: Promise<ProcessEnd>;
  /** Sends the signal and waits for the end. */
  end(name: 'SIGTERM' | 'SIGKILL'): Promise<ProcessEnd>;
}

/** Longest that a test waits for anything. Generous, because other work may share the machine. */
const DEADLINE_MS = 30_000;
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const flags = [
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  '--max-semi-space-size=8',
];
const children = new Set<ChildProcess>();

/** Kafka Connect's text converters, which a worker on a Kafka cluster has to name. */
export const textConverters = {
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
} as const;

/** The keys of a worker on a cluster; `id` keeps its internal topics apart from those of other tests. */
export function onCluster(bootstrap: string, id: string): Readonly<Record<string, string>> {
  return {
    'bootstrap.servers': bootstrap,
    'group.id': id,
    'session.timeout.ms': '3000',
    'heartbeat.interval.ms': '500',
    'config.storage.topic': `${id}-configs`,
    'offset.storage.topic': `${id}-offsets`,
    'status.storage.topic': `${id}-status`,
    'config.storage.replication.factor': '1',
    'offset.storage.replication.factor': '1',
    'status.storage.replication.factor': '1',
    ...textConverters,
  };
}

/** Writes `worker.properties` into the folder and starts a worker there. */
export async function startWorkerProcess(
  folder: string,
  properties: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> {
  const file = join(folder, 'worker.properties');
  const rows = Object.entries({ listeners: 'http://127.0.0.1:0', ...properties });
  await writeFile(file, rows.map(([key, value]) => `${key}=${value}\n`).join(''));
  const child = spawn(process.execPath, [...flags, main, file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  return new SpawnedWorker(child);
}

/** Ends what a failed test left running. */
export function killWorkerProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}

class SpawnedWorker implements WorkerProcess {
  readonly lines: LoggedLine[] = [];
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  #output = '';
  #errors = '';
  #read = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    this.ended = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        children.delete(child);
        resolve(code ?? signal ?? 'unknown');
      });
    });
  }

  output(): string {
    return this.#output;
  }

  errors(): string {
    return this.#errors;
  }

  logged(event: string): readonly LoggedLine[] {
    return this.lines.filter((line) => line['event'] === event);
  }

  url(): Promise<string> {
    return waitFor(() => this.logged('rest_listening')[0]?.['url'] as string | undefined, {
      timeoutMs: DEADLINE_MS,
      what: () => `no worker: ${this.#errors}${this.#output}`,
    });
  }

  async ready(): Promise<void> {
    await waitFor(async () => (await this.call('GET', '/health')).status === 200, {
      timeoutMs: DEADLINE_MS,
      what: () => `not ready: ${this.#output}`,
    });
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${await this.url()}${path}`, {
      method,
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(body === undefined ? {} : json),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
    return {
      status: response.status,
      text: `${JSON.stringify([...response.headers])}\n${text}`,
      json: isJson ? JSON.parse(text) : undefined,
    };
  }

  async attributes(connector: string): Promise<Attributes> {
    const { json } = await this.call('GET', `/connectors/${connector}/metrics`);
    return Object.values(json as Record<string, Attributes>)[0] ?? {};
  }

  async untilState(connector: string, state: string): Promise<void> {
    let last = '';
    await waitFor(
      async () => {
        const { text, json } = await this.call('GET', `/connectors/${connector}/status`);
        last = text;
        const states: readonly string[] = (json?.tasks ?? []).map((task: { state: string }) => task.state);
        return json?.connector?.state === state && states.length > 0 && states.every((s) => s === state);
      },
      { timeoutMs: DEADLINE_MS, what: () => `${connector} never ${state}: ${last}\n${this.#output}` },
    );
  }

  async untilTask(connector: string, state: string): Promise<string | undefined> {
    const task = await waitFor(
      async () => {
        const { json } = await this.call('GET', `/connectors/${connector}/status`);
        return json?.tasks?.[0]?.state === state ? json.tasks[0] : undefined;
      },
      { timeoutMs: DEADLINE_MS, what: () => `task of ${connector} never ${state}: ${this.#output}` },
    );
    return task.trace;
  }

  async untilAttribute(
    connector: string,
    name: string,
    fits: (value: number) => boolean,
  ): Promise<Attributes> {
    let last: Attributes = {};
    return await waitFor(
      async () => {
        last = await this.attributes(connector);
        return fits(last[name] ?? Number.NaN) ? last : undefined;
      },
      { timeoutMs: DEADLINE_MS, what: () => `${name} of ${connector}: ${JSON.stringify(last)}` },
    );
  }

  residentBytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  }

  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  end(name: 'SIGTERM' | 'SIGKILL'): Promise<ProcessEnd> {
    this.signal(name);
    return this.ended;
  }

  #take(text: string): void {
    this.#output += text;
    for (let end = this.#output.indexOf('\n', this.#read); end >= 0; ) {
      this.lines.push(JSON.parse(this.#output.slice(this.#read, end)) as LoggedLine);
      this.#read = end + 1;
      end = this.#output.indexOf('\n', this.#read);
    }
  }
}
