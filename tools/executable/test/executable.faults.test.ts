import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const platform = `linux-${process.arch}`;

let home = '';
let levada = '';

/** Runs the executable with nothing in the environment: no PATH, no Node, no home folder. */
function call(cwd: string, ...words: string[]): Promise<{ stdout: string; stderr: string }> {
  return execute(levada, words, { cwd, env: {}, timeout: 60_000 });
}

async function emptyFolder(name: string): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder);
  return folder;
}

// Built for Linux alone: what it is put into is a Node for Linux.
describe.skipIf(process.platform !== 'linux')('the single executable (Linux only)', () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'levada-executable-'));
    await execute(process.execPath, [join(root, 'tools/executable/build.mjs'), home], { timeout: 300_000 });
    levada = join(home, `levada-${platform}`);
  }, 300_000);

  afterAll(() => rm(home, { recursive: true, force: true }));

  it('prints its version, and nothing of a code cache that was refused', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'packages/cli/package.json'), 'utf8'));
    expect(await call(home, '--version')).toEqual({ stdout: `${version}\n`, stderr: '' });
  });

  it('prints the licences of Node and of what is bundled', async () => {
    const { stdout } = await call(home, 'licences');
    const titles = [...stdout.matchAll(/^=+\n(.+)\n=+$/gm)].map(([, title]) => title);
    expect(titles).toEqual(expect.arrayContaining(['Levada', `Node.js ${process.version}`]));
    expect(titles).toContainEqual(expect.stringMatching(/^yaml 2\.\S+ \(ISC\)$/));
  });

  it('writes, checks and compiles a stream project', async () => {
    const folder = await emptyFolder('projects');
    await call(folder, 'project', 'init', 'shop', '--template', 'payments');
    await call(folder, 'project', 'compile', 'shop', '--out', 'compiled');
    expect(await readdir(join(folder, 'compiled'))).toContain('manifest.json');
  });

  it('runs the live demo in an empty folder', async () => {
    const folder = await emptyFolder('demo');
    const demo = start(folder, ['demo'], { LEVADA_DEMO_PORT: '0', LEVADA_DEMO_FEED_PORT: '0' });
    try {
      const url = await demo.see(/REST\s+(\S+)/);
      await eventually(async () => {
        const status = await fetch(`${url}/connectors/prices/status?expand=connection`);
        expect(await status.text()).toMatch(/"state":"connected","last_message_age_ms":\d+/);
      });
      await eventually(async () => {
        const { stdout } = await call(folder, 'topic', 'tail', 'prices', '-n', '1', '--no-follow');
        expect(stdout).toContain('"symbol":');
      });
      expect(await demo.end('SIGINT')).toBe(0);
      await demo.see(/Drained: everything received is in the log/);
    } finally {
      demo.kill();
    }
  });

  it('runs a connector of a package in plugin.path', async () => {
    const folder = await emptyFolder('plugins');
    await writeWorkerFile(folder, {});
    const worker = start(folder, ['worker', 'dev', 'worker.json', '--port', '0']);
    try {
      await createWords(await worker.see(listening), { folder, topic: 'words' });
      await eventually(async () => {
        const { stdout } = await call(folder, 'topic', 'tail', 'words', '-n', '2', '--no-follow');
        expect(stdout).toMatch(/one\n.*two\n/);
      });
      expect(await worker.end('SIGTERM')).toBe(0);
    } finally {
      worker.kill();
    }
  });

  describeWithSharedBroker('on a Kafka cluster', { version: '3.9.1' }, (broker) => {
    it('runs a task of a package in plugin.path in a thread', async () => {
      const group = `executable-${randomUUID()}`;
      const folder = await emptyFolder(group);
      const topics = ['config', 'offset', 'status'].flatMap((what) => [
        [`${what}.storage.topic`, `${group}-${what}`],
        [`${what}.storage.replication.factor`, '1'],
      ]);
      await writeWorkerFile(folder, {
        'bootstrap.servers': broker().bootstrap,
        'group.id': group,
        ...Object.fromEntries(topics),
        listeners: 'http://127.0.0.1:0',
        'task.isolation': 'thread',
      });
      await createTopic(broker(), group);
      const worker = start(folder, ['worker', 'start', 'worker.json']);
      try {
        await createWords(await worker.see(listening), { folder, topic: group });
        const records = await readTopic(broker(), group, { count: 2, withinMs: 60_000 });
        expect(records.map(({ value }) => value?.toString())).toEqual(['one', 'two']);
        expect(await worker.end('SIGTERM')).toBe(0);
      } finally {
        worker.kill();
      }
    }, 120_000);
  });
});

const converter = 'org.apache.kafka.connect.storage.StringConverter';
const listening = /"event":"rest_listening".*"url":"([^"]+)"/;

/** Configures a worker with the connector of an example, beside the lines that it reads. */
async function writeWorkerFile(folder: string, config: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(join(folder, 'words.txt'), 'one\ntwo\n');
  const own = {
    'plugin.path': join(root, 'examples/write-a-connector'),
    'key.converter': converter,
    'value.converter': converter,
  };
  await writeFile(join(folder, 'worker.json'), JSON.stringify({ ...own, ...config }));
}

async function createWords(url: string, { folder, topic }: { folder: string; topic: string }): Promise<void> {
  const config = {
    'connector.class': 'FileStreamSource',
    file: join(folder, 'words.txt'),
    topic,
  };
  const headers = { 'Content-Type': 'application/json' };
  await eventually(async () => {
    const body = JSON.stringify(config);
    const created = await fetch(`${url}/connectors/words/config`, { method: 'PUT', headers, body });
    // 409 and 503 while the worker starts.
    if (!created.ok) throw new Error(await created.text());
  });
}

interface Running {
  /** Resolves with the first group, or the match, as soon as standard output shows it. */
  see(pattern: RegExp): Promise<string>;
  /** Sends a signal; resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number>;
  kill(): void;
}

function start(cwd: string, words: readonly string[], env: Record<string, string> = {}): Running {
  const child: ChildProcess = spawn(levada, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Not at its exit, when its output need not have been read.
  let isOver = false;
  const ended = once(child, 'close').finally(() => {
    isOver = true;
  });
  const grown = new EventTarget();
  let shown = '';
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    grown.dispatchEvent(new Event('text'));
  });
  return {
    see: async (pattern) => {
      for (;;) {
        const match = pattern.exec(shown);
        if (match !== null) return match[1] ?? match[0];
        if (isOver) throw new Error(`ended before it printed ${pattern}: ${shown}${errors}`);
        const more = AbortSignal.timeout(60_000);
        await Promise.race([once(grown, 'text', { signal: more }), ended]);
      }
    },
    end: async (signal) => {
      child.kill(signal);
      return (await ended)[0];
    },
    kill: () => child.kill('SIGKILL'),
  };
}

/** Tries again until the check passes, for at most a minute. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (failed) {
      if (Date.now() > deadline) throw failed;
    }
  }
}
