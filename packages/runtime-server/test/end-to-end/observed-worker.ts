import { readFileSync } from 'node:fs';
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

/** How a worker ended: its exit code, or the signal that ended its process. */
export type WorkerEnd = number | string;

/** A signal that tests send to workers. */
export type WorkerSignal = 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

/** Where a worker runs. */
export interface WorkerParts {
  readonly pid: number | undefined;
  readonly ended: Promise<WorkerEnd>;
  readonly signal: (name: WorkerSignal) => void;
}

/** Longest that a test waits for anything. Generous, because other work may share the machine. */
const DEADLINE_MS = 30_000;

/** A running worker as its operator sees it: what it prints, its REST interface, and how it ends. */
export class ObservedWorker {
  readonly lines: LoggedLine[] = [];
  readonly ended: Promise<WorkerEnd>;
  readonly #parts: WorkerParts;
  #output = '';
  #errors = '';
  #read = 0;

  constructor(parts: WorkerParts) {
    this.ended = parts.ended;
    this.#parts = parts;
  }

  /** Of the process that it runs in. */
  get pid(): number | undefined {
    return this.#parts.pid;
  }

  /** To be called with each text that it prints. */
  takeOutput(text: string): void {
    this.#output += text;
    for (let end = this.#output.indexOf('\n', this.#read); end >= 0; ) {
      this.lines.push(JSON.parse(this.#output.slice(this.#read, end)) as LoggedLine);
      this.#read = end + 1;
      end = this.#output.indexOf('\n', this.#read);
    }
  }

  /** To be called with each text that it writes to standard error. */
  takeErrors(text: string): void {
    this.#errors += text;
  }

  /** Everything that it printed. */
  output(): string {
    return this.#output;
  }

  /** Text of standard error. */
  errors(): string {
    return this.#errors;
  }

  /** Lines of its log with this event. */
  logged(event: string): readonly LoggedLine[] {
    return this.lines.filter((line) => line['event'] === event);
  }

  /** Base URL of the REST interface, as soon as it listens. */
  url(): Promise<string> {
    return waitFor(() => this.logged('rest_listening')[0]?.['url'] as string | undefined, {
      timeoutMs: DEADLINE_MS,
      what: () => `no worker: ${this.#errors}${this.#output}`,
    });
  }

  /** Waits until it has completed its start. */
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

  /** Present attributes of a connector. */
  async attributes(connector: string): Promise<Attributes> {
    const { json } = await this.call('GET', `/connectors/${connector}/metrics`);
    return Object.values(json as Record<string, Attributes>)[0] ?? {};
  }

  /** Waits until the connector and all its tasks, at least one, are in this state. */
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

  /** Waits until the first task is in this state, and resolves with its trace. */
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

  /** Waits until an attribute fits. */
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

  /** Resident memory now, in bytes. */
  residentBytes(): number {
    const status = readFileSync(`/proc/${this.#parts.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  }

  signal(name: WorkerSignal): void {
    this.#parts.signal(name);
  }

  /** Sends the signal and waits for the end. */
  end(name: 'SIGTERM' | 'SIGKILL'): Promise<WorkerEnd> {
    this.signal(name);
    return this.ended;
  }
}
