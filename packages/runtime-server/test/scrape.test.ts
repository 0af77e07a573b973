import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InProcessWorker, startInProcess } from './worker-in-process.ts';

let worker: InProcessWorker;

beforeAll(async () => {
  worker = await startInProcess();
  await worker.worker.started;
  for (const name of ['one', 'two']) {
    const config = {
      'connector.class': 'WebSocketSource',
      // Nothing listens there: the task runs, and tries to connect.
      'websocket.url': 'ws://127.0.0.1:9/',
      'platform.topic': 'prices',
    };
    await worker.worker.herder.create(name, config);
    const status = () => worker.worker.herder.status(name).catch(() => undefined);
    await waitFor(async () => (await status())?.tasks[0]?.state === 'RUNNING');
  }
});
afterAll(() => worker.end());

interface Scraped {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
}

function scrape(query = '', headers: Record<string, string> = {}, method = 'GET'): Promise<Scraped> {
  return new Promise((resolve, reject) => {
    const asked = request(`${worker.worker.url}/metrics${query}`, { headers, method }, (response) => {
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
