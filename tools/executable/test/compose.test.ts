import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const execute = promisify(execFile);
const folder = fileURLToPath(new URL('../../../deploy/compose/', import.meta.url));
/** As bundled into the executable, which is the entry point of the image. */
const levada = fileURLToPath(new URL('../dist/main.js', import.meta.url));

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
}

async function services(): Promise<Readonly<Record<string, Service>>> {
  return parse(await readFile(join(folder, 'compose.yaml'), 'utf8'), { merge: true }).services;
}

type Variables = Readonly<Record<string, string>>;

/** The variables of a service, some of them with values for this machine, and others that it needs here. */
function environment(service: Service | undefined, replaced: Variables, added: Variables): NodeJS.ProcessEnv {
  const own = Object.entries(service?.environment ?? {}).map(([name, value]) => [name, String(value)]);
  expect(own.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(replaced)));
  return { PATH: process.env['PATH'], ...Object.fromEntries(own), ...replaced, ...added };
}

/** Starts a command; `see` resolves with the first group of a pattern as soon as its output has it. */
function start(words: readonly string[], env: NodeJS.ProcessEnv, cwd: string) {
  const child = spawn(process.execPath, [levada, ...words], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // After its exit, for by then its output need not have been read.
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let text = '';
  const grown = new EventTarget();
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    grown.dispatchEvent(new Event('text'));
  });
  return async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const match = pattern.exec(text);
      if (match !== null) return match[1] ?? '';
      if (child.exitCode !== null)
        throw new Error(`levada ${words.join(' ')} ended without ${pattern}: ${text}`);
      await Promise.race([once(grown, 'text', { signal: AbortSignal.timeout(30_000) }), ended]);
    }
  };
}

describeWithSharedBroker('deploy/compose', {}, (broker) => {
  it('starts a feed, a worker and a connector whose records reach Kafka', async () => {
    const home = await mkdtemp(join(tmpdir(), 'levada-compose-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const { feed, worker, connectors } = await services();

    const feedEnv = environment(feed, { LEVADA_DEMO_FEED_HOST: '127.0.0.1' }, { LEVADA_DEMO_FEED_PORT: '0' });
    const feedUrl = await start(feed?.command ?? [], feedEnv, home)(/^(ws:\S+) sends prices/m);

    const workerEnv = environment(
      worker,
      { CONNECT_BOOTSTRAP_SERVERS: broker().bootstrap, CONNECT_REST_ADVERTISED_HOST_NAME: '127.0.0.1' },
      { CONNECT_LISTENERS: 'http://127.0.0.1:0' },
    );
    // The image's own command.
    const shown = start(['worker', 'start'], workerEnv, home);
    const url = await shown(/"event":"rest_listening".*"url":"([^"]+)"/);
    await execute(process.execPath, [levada, 'worker', 'health', '--wait', '60', '--url', url]);

    const config = await readFile(join(folder, 'connectors/prices.yaml'), 'utf8');
    expect(config).toContain('ws://feed:8084/prices');
    // Others that share the broker write to "prices"
    const ownTopic = config.replace('platform.topic: prices', 'platform.topic: prices-of-compose');
    await writeFile(join(home, 'prices.yaml'), ownTopic.replace('ws://feed:8084/prices', feedUrl));
    const words = (connectors?.command ?? []).map((word) =>
      word.replace('=/connectors', `=${join(home, 'prices.yaml')}`).replace('http://worker:8083', url),
    );
    await execute(process.execPath, [levada, ...words]);

    const [record] = await readTopic(broker(), 'prices-of-compose', { count: 1 });
    expect(JSON.parse(String(record?.value))).toMatchObject({ symbol: expect.any(String) });
    await expect
      .poll(async () => (await fetch(`${url}/metrics`)).text())
      .toMatch(/^connect_source_records_produced_total\{[^}]*connector="prices"[^}]*\} [1-9]/m);
  });
});
