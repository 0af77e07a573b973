import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  countTopic,
  createTopic,
  freePorts,
  type JavaWorker,
  readTopic,
  startJavaWorker,
} from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { GuideShell, type GuideStep, guideSteps } from '@levada/test-peers/guide-shell';
import { afterEach, beforeEach, expect, it } from 'vitest';

const guide = readFileSync(
  new URL('../../../docs/guides/move-from-kafka-connect.md', import.meta.url),
  'utf8',
);
const levada = fileURLToPath(new URL('../bin/levada.js', import.meta.url));
/** Our file stream source, under the class name of Kafka's own. */
const plugins = fileURLToPath(new URL('../../../examples/write-a-connector', import.meta.url));

const sources = ['orders', 'payments', 'refunds', 'returns', 'stock', 'visits'];
/** Milliseconds between two lines of a file. */
const INTERVAL_MS = 50;
/** How long work waits for a worker that was stopped: so short that the test need not wait. */
const DELAY_MS = '1000';
/** How long a step may take on a busy machine. */
const STEP_MS = 90_000;

/** Who runs a service on a host of the guide, and under which address its REST interface really is. */
interface Service {
  readonly address: string;
  readonly stop: () => Promise<unknown>;
  readonly output: () => string;
}

describeWithSharedBroker('the guide for moving from Kafka Connect', { version: '3.9.1' }, (broker) => {
  let folder: string;
  let shell: GuideShell;
  let timer: NodeJS.Timeout;
  let lines: number;
  const services = new Map<string, Service>();
  /** By what the guide says: what it is on this machine. */
  const places = new Map<string, string>();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'levada-move-'));
    lines = 0;
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/levada'), `#!/bin/sh\nexec '${process.execPath}' '${levada}' "$@"\n`);
    await chmod(join(folder, 'bin/levada'), 0o755);
    shell = new GuideShell(folder, {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: folder,
    });
  });
  afterEach(async () => {
    clearInterval(timer);
    await shell.close();
    await Promise.all([...services.values()].map((service) => service.stop()));
    await rm(folder, { recursive: true });
  });

  const here = (text: string): string =>
    [...places].reduce((found, [there, place]) => found.replaceAll(there, place), text);
  /** Widths of columns depend on names, and the order of workers on ports. */
  const comparable = (text: string): readonly string[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ {2,}/g, '  ').trim())
      // Said of a rebalance, before the command is carried out.
      .filter((line) => !line.startsWith('the worker is busy ('))
      .toSorted();

  async function startJava(host: string): Promise<void> {
    const java: JavaWorker = await startJavaWorker(broker(), javaKeys(broker().bootstrap));
    const address = new URL(java.url).host;
    services.set(host, { address, stop: () => java.stop(), output: () => java.output });
    places.set(`${host}:8083`, address);
  }

  /** As systemd starts the unit of the guide. */
  async function startLevada(host: string): Promise<void> {
    const [port] = await freePorts(1);
    const [, unit = ''] = /^```ini\n(.*?)^```$/ms.exec(guide) ?? [];
    const variables = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value = '']) => [
      name,
      here(value).replaceAll('%H', '127.0.0.1'),
    ]);
    const [, command = ''] = /^ExecStart=\/usr\/local\/bin\/levada (.*)$/m.exec(unit) ?? [];
    const child = spawn(process.execPath, [levada, ...here(command).split(' ')], {
      cwd: folder,
      env: {
        ...Object.fromEntries(variables),
        CONNECT_LISTENERS: `http://127.0.0.1:${port}`,
        CONNECT_SCHEDULED_REBALANCE_MAX_DELAY_MS: DELAY_MS,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const address = `127.0.0.1:${port}`;
    services.set(host, { address, stop: () => ended(child), output: () => output });
    places.set(`${host}:8083`, address);
  }

  async function systemctl(host: string, verb: string, unit: string): Promise<void> {
    if (verb === 'stop') {
      await services.get(host)?.stop();
      services.delete(host);
    } else if (unit === 'levada') await startLevada(host);
    else await startJava(host);
  }

  /** Runs a command until it prints what the guide says, since a rebalance takes its time. */
  async function follow({ command, printed }: GuideStep): Promise<void> {
    if (command.startsWith('npm install ')) return;
    const [, host = '', verb = '', unit = ''] = /^ssh (\S+) systemctl (\w+) (\S+)$/.exec(command) ?? [];
    if (host !== '') {
      await systemctl(host, verb, unit);
      return;
    }
    const wanted = comparable(here(printed.join('\n')));
    // Commands that only read can be repeated.
    const isRead = /^levada (?:get|describe|connector validate) /.test(command);
    const last = await waitFor(
      async () => {
        const found = comparable(await shell.run(here(command)));
        return !isRead || found.join('\n') === wanted.join('\n') ? found : undefined;
      },
      { timeoutMs: STEP_MS, what: () => `${command}\n${wanted.join('\n')}\n${outputs()}` },
    );
    expect([command, ...last]).toEqual([command, ...wanted]);
  }

  const outputs = (): string =>
    [...services].map(([host, { output }]) => `${host}: ${output().slice(-2000)}`).join('\n');

  async function createConnectors(): Promise<void> {
    const { address = '' } = services.get('connect-1') ?? {};
    const put = async (name: string, config: object): Promise<void> => {
      const request = {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'tasks.max': '1', ...config }),
      };
      // Answered with 409 while the group rebalances.
      const isCreated = async () => (await fetch(`http://${address}/connectors/${name}/config`, request)).ok;
      await waitFor(isCreated, { timeoutMs: STEP_MS, what: () => `${name} is created` });
    };
    for (const name of sources) {
      await createTopic(broker(), topicOf(name));
      await put(name, {
        'connector.class': 'org.apache.kafka.connect.file.FileStreamSourceConnector',
        file: join(folder, `${name}.txt`),
        topic: topicOf(name),
      });
    }
    await put('archive', {
      'connector.class': 'org.apache.kafka.connect.file.FileStreamSinkConnector',
      file: join(folder, 'archive.txt'),
      topics: topicOf('orders'),
    });
    timer = setInterval(() => {
      for (const name of sources) appendFileSync(join(folder, `${name}.txt`), `${lines}\n`);
      lines += 1;
    }, INTERVAL_MS);
  }

  it('does what it says, prints what it shows, and stores each line once', async () => {
    const steps = guideSteps(guide);
    expect(steps.length).toBeGreaterThan(15);
    const { bootstrap } = broker();
    const file = join(folder, 'connect-distributed.properties');
    const rows = Object.entries({ 'bootstrap.servers': bootstrap, ...javaKeys(bootstrap) });
    await writeFile(file, rows.map(([key, value]) => `${key}=${value}\n`).join(''));
    places.set('/etc/kafka', folder);
    places.set('/opt/levada/plugins', plugins);
    const [port] = await freePorts(1);
    places.set('127.0.0.1:8093', `127.0.0.1:${port}`);
    places.set('--port 8093', `--port ${places.get('127.0.0.1:8093')?.split(':')[1]}`);
    // The first one leads.
    await startJava('connect-1');
    await Promise.all([startJava('connect-2'), createConnectors()]);
    for (const step of steps) await follow(step);

    clearInterval(timer);
    for (const name of sources) {
      const topic = topicOf(name);
      await waitFor(async () => (await countTopic(broker(), topic)) >= lines, { timeoutMs: STEP_MS });
      const records = await readTopic(broker(), topic, { count: await countTopic(broker(), topic) });
      const values = records.map(({ value }) => Number(String(value)));
      expect([name, values]).toEqual([name, Array.from({ length: lines }, (_, at) => at)]);
    }
  }, 300_000);
});

function topicOf(name: string): string {
  return `move-${name}`;
}

/** The worker file of the guide. It has a key that a Levada worker ignores in its third line, below the brokers. */
function javaKeys(bootstrap: string): Readonly<Record<string, string>> {
  const text = 'org.apache.kafka.connect.storage.StringConverter';
  return {
    'bootstrap.servers': bootstrap,
    'group.id': 'connect',
    'plugin.discovery': 'hybrid_warn',
    'config.storage.topic': 'move-configs',
    'offset.storage.topic': 'move-offsets',
    'status.storage.topic': 'move-statuses',
    'config.storage.replication.factor': '1',
    'offset.storage.replication.factor': '1',
    'status.storage.replication.factor': '1',
    'key.converter': text,
    'value.converter': text,
    // Workers leave in order; one that is lost for a moment would write lines again.
    'session.timeout.ms': '30000',
    'heartbeat.interval.ms': '500',
    'scheduled.rebalance.max.delay.ms': DELAY_MS,
  };
}

/** Ends a process in order. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}
