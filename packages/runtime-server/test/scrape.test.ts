import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InProcessWorker, startInProcess } from './worker-in-process.ts';

let worker: InProcessWorker;

beforeAll(async () => {
  worker = await startInProcess();
  await create(worker, ['one', 'two']);
});
afterAll(() => worker.end());

async function create({ worker: { started, herder } }: InProcessWorker, names: readonly string[]) {
  await started;
  for (const name of names) {
    const config = {
      'connector.class': 'WebSocketSource',
      // Nothing listens there: the task runs, and tries to connect.
      'websocket.url': 'ws://127.0.0.1:9/',
      'platform.topic': 'prices',
    };
    await herder.create(name, config);
    const status = () => herder.status(name).catch(() => undefined);
    await waitFor(async () => (await status())?.tasks[0]?.state === 'RUNNING');
  }
}

interface Scraped {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
}

function scrape(query = '', headers: Record<string, string> = {}, method = 'GET', from = worker) {
  return new Promise<Scraped>((resolve, reject) => {
    const asked = request(`${from.worker.url}/metrics${query}`, { headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** What a server of Prometheus sends. */
const accept =
  'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

describe('a scrape', () => {
  it('answers the text of Prometheus to clients that ask for nothing else', async () => {
    const { headers, bytes } = await scrape();
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers['content-encoding']).toBeUndefined();
    const text = bytes.toString();
    expect(text).toContain('# TYPE kafka_connect_worker_connector_count gauge\n');
    expect(text).toContain('kafka_connect_worker_connector_count 2\n');
    expect(text).toContain('kafka_connect_connector_status{connector="one",status="running"} 1\n');
    expect(text).toContain(
      'kafka_connect_connector_task_status{connector="two",task="0",status="running"} 1\n',
    );
    expect(text).toContain(
      'kafka_connect_source_task_source_record_poll_total{connector="one",task="0"} 0\n',
    );
    expect(text).toContain('connect_source_connected{connector="one",plugin="WebSocketSourceConnector"} 0\n');
    expect(text).toMatch(/kafka_connect_start_time_seconds\{clientid="[^"]+"\} \d/);
  });

  it('answers OpenMetrics, compressed, to a server of Prometheus', async () => {
    const { headers, bytes } = await scrape('', { accept, 'accept-encoding': 'gzip' });
    expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(headers['content-encoding']).toBe('gzip');
    const text = gunzipSync(bytes).toString();
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(text).toContain('# TYPE kafka_connect_worker_task_startup_success counter\n');
    expect(text).toContain('\nkafka_connect_worker_task_startup_success_total 2\n');
  });

  it('takes OpenMetrics as the only accepted type, and prefers what the client does', async () => {
    const type = async (value: string) => (await scrape('', { accept: value })).headers['content-type'];
    expect(await type('application/openmetrics-text')).toContain('openmetrics');
    expect(await type('application/openmetrics-text;q=0.1, text/plain')).toContain('text/plain');
    expect((await scrape('', { accept: 'image/png' })).status).toBe(406);
  });

  it('shows one connector alone, and only the series that are asked for', async () => {
    const one = (await scrape('?connector=one')).bytes.toString();
    expect(one).toContain('connector="one"');
    expect(one).not.toContain('connector="two"');
    expect(one).not.toContain('process_resident_memory_bytes');
    const families = (await scrape('?family=connect_connector_state&family=process_*')).bytes.toString();
    const names = new Set(families.match(/^\w+/gm));
    expect([...names]).toEqual([
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'connect_connector_state',
    ]);
    expect((await scrape('?family=none')).bytes.toString()).toBe('');
  });

  it('answers HEAD without a body', async () => {
    const { status, headers, bytes } = await scrape('', {}, 'HEAD');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(bytes.length).toBe(0);
  });

  it('serves more scrapes at once than are written at once', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => scrape()));
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  });
});

describe('a scrape of more connectors than one text may have series for', () => {
  const names = Array.from({ length: 40 }, (_, at) => `connector-${at}`);
  let small: InProcessWorker;

  beforeAll(async () => {
    small = await startInProcess({ 'metrics.prometheus.max.series': '1000' });
    await create(small, names);
  });
  afterAll(() => small.end());

  const text = async (query = ''): Promise<string> =>
    (await scrape(query, {}, 'GET', small)).bytes.toString();
  const shown = (all: string): readonly string[] =>
    names.filter((name) => all.includes(`connect_connector_state{connector="${name}",`));
  const value = (all: string, name: string): number =>
    Number(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec(all)?.[1]);

  it('is bounded, shows a connector wholly or not at all, and says what it leaves out', async () => {
    const all = await text();
    const samples = all.match(/^\w+\{connector=.*$/gm) ?? [];
    expect(samples.length).toBeLessThanOrEqual(1000);
    expect(Buffer.byteLength(all)).toBeLessThan(150_000);
    const left = value(all, 'connect_worker_connectors_left_out');
    expect(shown(all)).toHaveLength(names.length - left);
    expect(left).toBeGreaterThan(20);
    expect(left).toBeLessThan(names.length);
    expect(value(all, 'connect_worker_series_left_out')).toBeGreaterThan(left * 50);
    expect(all).toContain('connect_worker_connectors{state="RUNNING"} 40\n');
    expect(all).toContain('connect_worker_tasks{state="RUNNING"} 40\n');
    const [one = ''] = shown(all);
    const same = (line: string): boolean => line.includes(`connector="${one}"`) && !line.includes('seconds');
    const alone = await text(`?connector=${one}`);
    expect(all.split('\n').filter(same)).toHaveLength(alone.split('\n').filter(same).length);
  });

  it('shows every connector when it is asked for by name, by series or in several texts', async () => {
    const last = await text('?connector=connector-39');
    expect(shown(last)).toEqual(['connector-39']);
    expect(last).not.toContain('left_out');
    const states = await text('?family=connect_connector_state');
    expect(shown(states)).toEqual(names);
    expect(states).not.toContain('left_out');
    const some = await text('?family=connect_*');
    expect(shown(some).length).toBeLessThan(names.length);
    expect(some).toContain('connect_worker_connectors_left_out');
    const shards = await Promise.all([1, 2, 3, 4, 5, 6].map((at) => text(`?shard=${at}/6`)));
    expect(shards.flatMap(shown).toSorted()).toEqual(names.toSorted());
    expect(shards.filter((one) => one.includes('process_resident_memory_bytes'))).toHaveLength(1);
  });

  it.each(['', '0/2', '3/2', '1', '1/1001', 'a/b'])('refuses "%s" as a shard', async (shard) => {
    const { status, bytes } = await scrape(`?shard=${shard}`, {}, 'GET', small);
    expect(status).toBe(400);
    expect(bytes.toString()).toContain('shard is not');
  });
});
