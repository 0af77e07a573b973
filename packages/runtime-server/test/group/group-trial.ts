import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  type Broker,
  type BrokerVersion,
  countTopic,
  createTopic,
  readTopic,
  startJavaWorker,
} from '@levada/kafka-testkit';
import { newFolder } from '@levada/test-peers/new-folder';
import { onCluster, startWorkerProcess } from '../end-to-end/worker-process.ts';
import { addressVariable, fileLoad, grpcLoad, type Load, otlpLoad, webSocketLoad } from './loads.ts';
import { RestWatch } from './rest-watch.ts';

/** A worker of the group, ours or Java's. */
export interface Member {
  readonly url: string;
  readonly kind: 'ours' | 'java';
  /** Of Kafka, for a Java worker. */
  readonly version?: BrokerVersion | undefined;
  /** Address of its host, where receivers listen. */
  readonly address: string;
  /** What it printed, for messages of failed tests. */
  readonly output: () => string;
  readonly signal: (name: 'SIGSTOP' | 'SIGCONT') => void;
  readonly end: (name: 'SIGTERM' | 'SIGKILL') => Promise<unknown>;
}

export interface GroupTrialOptions {
  readonly broker: Broker;
  /** Name of the group, which no other test has. */
  readonly id: string;
  /** How many connectors of each kind. */
  readonly loads: Readonly<Partial<Record<'webSocket' | 'grpc' | 'otlp' | 'file', number>>>;
  /** Keys over those of a group whose sessions last 3 s and whose work waits 1 s for a departed worker. */
  readonly keys?: Readonly<Record<string, string>>;
}

/** How long work may stay away after its worker is gone: session, delay, and three seconds to start again. */
const LIMIT_MS = 120_000;

/** Our example of a connector, under the class name of Kafka's own and with its offsets. */
const fileStreamSource = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));

/** Connectors of all kinds under load in a group of workers, whose faults it causes; at the end it checks every record. */
export class GroupTrial {
  readonly members: Member[] = [];
  readonly loads: Load[] = [];
  /** Milliseconds from each fault until every task ran on a worker that was alive. */
  readonly takeoversMs: number[] = [];
  readonly watch = new RestWatch(() => this.members.map(({ url }) => url));
  readonly #options: GroupTrialOptions;
  readonly #ours: string[] = [];
  #faults = 0;
  #started = 1;

  constructor(options: GroupTrialOptions) {
    this.#options = options;
  }

  get #keys(): Readonly<Record<string, string>> {
    const { broker, id, keys } = this.#options;
    return {
      ...onCluster(broker.bootstrap, id),
      'scheduled.rebalance.max.delay.ms': '1000',
      'offset.flush.interval.ms': '500',
      ...keys,
    };
  }

  /** Starts one of our workers; resolves when it is ready. */
  async startOurs(): Promise<Member> {
    const folder = await newFolder();
    const address = `127.0.1.${this.#started}`;
    this.#started += 1;
    const keys = {
      ...this.#keys,
      'plugin.path': fileStreamSource,
      'config.providers': 'env',
      'config.providers.env.class': 'org.apache.kafka.common.config.provider.EnvVarConfigProvider',
      'config.providers.env.param.allowlist.pattern': addressVariable,
    };
    const worker = await startWorkerProcess(folder, keys, { [addressVariable]: address });
    await worker.ready();
    const member: Member = {
      url: await worker.url(),
      kind: 'ours',
      address,
      output: () => worker.output(),
      signal: (name) => worker.signal(name),
      end: (name) => worker.end(name),
    };
    this.members.push(member);
    this.#ours.push(member.url);
    return member;
  }

  /** Starts a Java worker; resolves when it serves. */
  async startJava(version?: BrokerVersion): Promise<Member> {
    const java = await startJavaWorker(this.#options.broker, this.#keys, { version });
    const member: Member = {
      url: java.url.replace(/\/$/, ''),
      kind: 'java',
      version,
      address: '127.0.0.1',
      output: () => java.output,
      signal: (name) => (name === 'SIGSTOP' ? java.pause() : java.unpause()),
      end: (name) => (name === 'SIGTERM' ? java.stop() : java.kill()),
    };
    this.members.push(member);
    return member;
  }

  /** Creates topics and connectors; resolves when all tasks run. */
  async startLoads(): Promise<void> {
    const { broker, id, loads } = this.#options;
    const folder = await newFolder();
    const makers = {
      webSocket: webSocketLoad,
      grpc: grpcLoad,
      otlp: (name: string) => otlpLoad(name, () => this.members.map(({ address }) => address)),
      file: (name: string) => fileLoad(name, folder),
    };
    for (const [kind, count] of Object.entries(loads)) {
      for (let i = 0; i < count; i += 1) {
        const name = `${id}-${kind}-${i}`;
        await createTopic(broker, name);
        const load = await makers[kind as keyof typeof makers](name);
        this.loads.push(load);
        // Each member in turn, so that changes are forwarded to the leader.
        const member = this.members[this.loads.length % this.members.length];
        await this.change('PUT', `/connectors/${name}/config`, load.config, member);
      }
    }
    await this.untilBalanced();
  }

  /** Whether this URL is, or was, that of one of our workers. */
  wasOurs(url: string): boolean {
    return this.#ours.some((own) => url.startsWith(own));
  }

  /** Messages, lines and exports that all loads have sent. */
  sent(): number {
    return this.loads.reduce((sum, load) => sum + load.sent(), 0);
  }

  /** A change over a member, repeated as clients of Kafka Connect repeat it while the group rebalances. */
  async change(method: string, path: string, body?: unknown, member = this.members[0]): Promise<number> {
    let answer = 'no answer';
    const status = await waitFor(
      async () => {
        const response = await fetch(`${member?.url}${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        answer = `${response.status} ${await response.text()}`;
        return response.status === 409 || response.status >= 500 ? undefined : response.status;
      },
      { timeoutMs: LIMIT_MS, what: () => `${method} ${path}: ${answer}` },
    );
    if (status >= 400) throw new Error(`${method} ${path}: ${answer}`);
    return status;
  }

  /** Kills one worker; resolves when the others run its work. It is no member any more. */
  async kill(member: Member): Promise<void> {
    this.members.splice(this.members.indexOf(member), 1);
    await member.end('SIGKILL');
    await this.#takenOver();
  }

  /** Stops one worker in order; resolves when the others run its work. */
  async stop(member: Member): Promise<void> {
    this.members.splice(this.members.indexOf(member), 1);
    await member.end('SIGTERM');
    await this.#untilRunning(() => true);
  }

  /** Freezes one worker until the others run its work and some more, and wakes it; resolves when it has work again. */
  async freeze(member: Member): Promise<void> {
    this.members.splice(this.members.indexOf(member), 1);
    member.signal('SIGSTOP');
    await this.#takenOver();
    await this.untilMore();
    member.signal('SIGCONT');
    this.members.push(member);
    await this.untilBalanced();
    await this.untilMore();
  }

  /** Kills the broker and starts it again. */
  async restartBroker(): Promise<void> {
    this.#faults += 1;
    this.watch.brokerIsAway = true;
    await this.#options.broker.restart();
    await this.untilBalanced();
    this.watch.brokerIsAway = false;
    await this.untilMore();
  }

  /** Resolves when every task runs on a worker that is a member, each member has some, and records flow. */
  async untilBalanced(): Promise<void> {
    await this.#untilRunning((owners) => owners.size === this.members.length);
  }

  /** Waits until every load has sent some more. */
  async untilMore(): Promise<void> {
    const before = this.loads.map((load) => load.sent());
    await waitFor(() => this.loads.every((load, i) => load.sent() > (before[i] as number) + 20), {
      timeoutMs: LIMIT_MS,
      what: () =>
        `more from ${this.loads.flatMap((load, i) => (load.sent() > (before[i] as number) + 20 ? [] : [load.name])).join(', ')}`,
    });
  }

  /** How many lines of a file takeovers read again, of those that happened when a load had sent as many as `after` says. */
  async linesReadAgain(after: readonly number[]): Promise<readonly number[]> {
    const topics = await Promise.all(this.loads.map(({ name }) => this.#records(name)));
    return topics.flatMap((lines, load) =>
      lines.flatMap((line, i) => {
        const before = Number(lines[i - 1] ?? -1);
        const count = before + 1 - Number(line);
        return count > 0 && before >= (after[load] as number) ? [count] : [];
      }),
    );
  }

  /** Ends all loads, waits until everything is stored, and returns what is wrong with the records. */
  async finish(): Promise<readonly string[]> {
    await Promise.all(this.loads.map((load) => load.stop()));
    const problems: string[] = [];
    for (const { name, problems: find } of this.loads) {
      const records = await this.#records(name);
      if (records.length === 0) problems.push(`${name}: no record`);
      problems.push(...find(records, this.#faults).map((problem) => `${name}: ${problem}`));
    }
    return problems;
  }

  async close(): Promise<void> {
    await this.watch.end();
    await Promise.all(this.members.map((member) => member.end('SIGKILL')));
    await Promise.all(this.loads.map((load) => load.close()));
  }

  async #takenOver(): Promise<void> {
    this.#faults += 1;
    const began = performance.now();
    await this.#untilRunning(() => true);
    this.takeoversMs.push(performance.now() - began);
  }

  async #untilRunning(fits: (owners: ReadonlySet<string>) => boolean): Promise<void> {
    let last = '';
    await waitFor(
      async () => {
        const ids = new Set(this.members.map(({ url }) => new URL(url).host));
        const [member] = this.members;
        const response = await fetch(`${member?.url}/connectors?expand=status`).catch(() => undefined);
        if (response?.status !== 200) return false;
        const all = Object.values((await response.json()) as Record<string, Expanded>);
        const tasks = all.flatMap(({ status }) => status.tasks);
        last = JSON.stringify(
          all.filter(({ status }) => !status.tasks.some((task) => runsOn(task, ids))),
        ).slice(0, 2000);
        const owners = new Set(tasks.map(({ worker_id }) => worker_id));
        const running = tasks.filter((task) => runsOn(task, ids)).length;
        return running === this.loads.length && fits(owners);
      },
      { timeoutMs: LIMIT_MS, what: () => `not running: ${last}\n${this.#outputs()}` },
    );
  }

  #outputs(): string {
    return this.members.map((member) => `${member.url}: ${member.output().slice(-3000)}`).join('\n');
  }

  async #records(topic: string): Promise<readonly string[]> {
    const { broker } = this.#options;
    let count = -1;
    await waitFor(async () => {
      const before = count;
      count = await countTopic(broker, topic);
      return count === before;
    });
    const records = await readTopic(broker, topic, { count });
    return records.map(({ value }) => String(value));
  }
}

interface TaskStatus {
  readonly state: string;
  readonly worker_id: string;
}

interface Expanded {
  readonly status: { readonly tasks: readonly TaskStatus[] };
}

function runsOn({ state, worker_id }: TaskStatus, ids: ReadonlySet<string>): boolean {
  return state === 'RUNNING' && ids.has(worker_id);
}
