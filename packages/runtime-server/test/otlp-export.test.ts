import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { otlpSource } from '@levada/source-otlp';
import { afterEach, describe, expect, it } from 'vitest';
import { type InProcessWorker, startInProcess } from './worker-in-process.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function started(more: Record<string, string>): Promise<InProcessWorker> {
  const worker = await startInProcess(more);
  closing.push(() => worker.end());
  await worker.worker.started;
  return worker;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
type Sent = any;

/** The receiver of this project, with the requests that it was sent. */
async function receiver(): Promise<{ readonly endpoint: string; readonly sent: Map<string, Sent[]> }> {
  const source = otlpSource({ address: '127.0.0.1', grpcPort: 0, httpPort: 0 });
  await source.ready();
  const sent = new Map<string, Sent[]>();
  const taken = (async () => {
    for await (const { topic, value } of source)
      sent.set(topic, [...(sent.get(topic) ?? []), JSON.parse(String(value))]);
  })();
  closing.push(async () => {
    await source.close();
    await taken;
  });
  return { endpoint: `http://127.0.0.1:${source.status()['HttpPort']}/`, sent };
}

function attributesOf(holder: Sent): Record<string, string> {
  const pairs: readonly Sent[] = holder.attributes;
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]),
  );
}

function metricsOf(requests: readonly Sent[]): Map<string, Sent> {
  const metrics: readonly Sent[] = requests.flatMap(
    ({ resourceMetrics }) => resourceMetrics[0].scopeMetrics[0].metrics,
  );
  return new Map(metrics.map((metric) => [metric.name, metric]));
}

function spansOf(requests: readonly Sent[]): readonly Sent[] {
  return requests.flatMap(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans);
}

describe('a worker with an OTLP receiver for its telemetry', () => {
  it('sends its metrics, by the names of /metrics', async () => {
    const { endpoint, sent } = await receiver();
    const worker = await started({
      'otel.exporter.otlp.endpoint': endpoint,
      'otel.metric.export.interval': '100',
      'otel.resource.attributes': 'deployment.environment=test%20bench',
      'otel.service.name': 'prices',
    });
    const requests = await waitFor(() => sent.get('otlp-metrics'));
    const { resource } = requests[0].resourceMetrics[0];
    expect(attributesOf(resource)).toMatchObject({
      'service.name': 'prices',
      'service.instance.id': worker.worker.workerId,
      'deployment.environment': 'test bench',
    });
    const metrics = metricsOf(requests);
    expect(metrics.get('kafka_connect_worker_connector_count').gauge.dataPoints).toMatchObject([
      { asDouble: 0 },
    ]);
    const starts = metrics.get('kafka_connect_worker_task_startup_attempts_total').sum;
    expect(starts).toMatchObject({ isMonotonic: true, dataPoints: [{ asDouble: 0 }] });
    expect(Number(starts.dataPoints[0].startTimeUnixNano)).toBeLessThanOrEqual(
      Number(starts.dataPoints[0].timeUnixNano),
    );
    expect(metrics.get('connect_worker_telemetry_failed_requests_total')).toBeUndefined();
  });

  it('sends spans of what it did, in the traces of its callers, at the latest when it ends', async () => {
    const { endpoint, sent } = await receiver();
    const worker = await started({
      'otel.exporter.otlp.endpoint': endpoint,
      'otel.metrics.exporter': 'none',
    });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const ask = (path: string, traceparent?: string) =>
      fetch(worker.worker.url + path, { headers: traceparent === undefined ? {} : { traceparent } });
    await ask('/connectors/a%20b/status', `00-${traceId}-b7ad6b7169203331-01`);
    await ask('/connectors', `00-${traceId}-b7ad6b7169203331-00`);
    await ask('/nothing');
    await worker.end();
    const spans = await waitFor(() => {
      const all = spansOf(sent.get('otlp-traces') ?? []);
      return all.length >= 2 ? all : undefined;
    });
    expect(spans.map(({ name }) => name)).toEqual(['GET /connectors/{connector}/status', 'GET']);
    expect(spans[0]).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 2, status: {} });
    expect(attributesOf(spans[0])).toEqual({
      'http.request.method': 'GET',
      'http.route': '/connectors/{connector}/status',
      'http.response.status_code': '404',
    });
    expect(sent.get('otlp-metrics')).toBeUndefined();
  });

  it('counts what a receiver refuses, says so once, and ends in time', async () => {
    let requests = 0;
    const headers: (string | undefined)[] = [];
    const server: Server = createServer((request, response) => {
      requests += 1;
      headers.push(request.headers.authorization);
      request.resume();
      response.writeHead(400).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => server.close());
    const worker = await started({
      'otel.exporter.otlp.endpoint': `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'otel.exporter.otlp.headers': 'authorization=Bearer%20s3cret',
      'otel.metric.export.interval': '100',
    });
    await waitFor(() => requests >= 3);
    const text = await (await fetch(`${worker.worker.url}/metrics?family=connect_worker_telemetry_*`)).text();
    expect(Number(/failed_requests_total (\d+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(2);
    expect(headers[0]).toBe('Bearer s3cret');
    await worker.end();
    expect(worker.text().match(/telemetry_export_failed/g)).toHaveLength(1);
    expect(worker.text()).toContain('the receiver answered 400');
    expect(worker.text()).not.toContain('s3cret');
  });

  it('sends nothing unless a receiver is configured', async () => {
    const worker = await started({ 'otel.metric.export.interval': '100' });
    const text = await (await fetch(`${worker.worker.url}/metrics`)).text();
    expect(text).not.toContain('connect_worker_telemetry');
  });
});
