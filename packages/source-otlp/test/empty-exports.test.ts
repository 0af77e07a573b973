// What has no span, data point, log record or profile, in every otlp.record.mode.

import { postExport } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { startTask, texts } from './running-task.ts';

const resource = (name: string): object => ({
  attributes: [{ key: 'service.name', value: { stringValue: name } }],
});
const bare = { name: 'bare', unit: 'ms' };
const measured = { name: 'measured', gauge: { dataPoints: [{ asInt: '1' }] } };
const request = (...metrics: readonly object[]): object => ({
  resourceMetrics: [{ resource: resource('shop'), scopeMetrics: [{ metrics }] }],
});
const counts = ['MetricsReceived', 'DataPointsReceived', 'EmptyIgnored'] as const;

describe.each(['request', 'resource', 'item'])('otlp.record.mode=%s', (mode) => {
  const config = { 'otlp.record.mode': mode };

  it('a task keeps a metric without points', async () => {
    const running = await startTask(config);
    const alone = await postExport(running.httpPort, 'metrics', request(bare));
    const beside = await postExport(running.httpPort, 'metrics', request(bare, measured));
    expect([alone, beside].map(({ status, json }) => [status, json])).toEqual([
      [200, {}],
      [200, {}],
    ]);
    const records = texts(await running.stop()).map((text): unknown => JSON.parse(text));
    const inItems = [request(bare), request(bare), request(measured)];
    expect(records).toEqual(mode === 'item' ? inItems : [request(bare), request(bare, measured)]);
    expect(counts.map((name) => running.metrics.read(name))).toEqual([records.length, 1, 0]);
  });

  it('a task reports a metric without points that is too large for a record', async () => {
    const running = await startTask({ ...config, 'otlp.record.max.bytes': '1024' });
    const large = { ...bare, description: 'x'.repeat(2000) };
    const { status, json } = await postExport(running.httpPort, 'metrics', request(large));
    expect([status, json]).toEqual([
      200,
      { partialSuccess: { rejectedDataPoints: '1', errorMessage: expect.stringContaining('larger than') } },
    ]);
    expect(running.metrics.read('DroppedRecordTooLarge')).toBe(1);
    await running.stop();
  });

  it('a task counts an export that has nothing to record', async () => {
    const running = await startTask(config);
    const empty = { resourceMetrics: [{ resource: resource('shop'), scopeMetrics: [{}] }] };
    const answers = [
      await postExport(running.httpPort, 'metrics', empty),
      await postExport(running.httpPort, 'logs', {}),
    ];
    expect(answers.map(({ status, json }) => [status, json])).toEqual([
      [200, {}],
      [200, {}],
    ]);
    expect(running.metrics.read('EmptyIgnored')).toBe(2);
    expect(await running.stop()).toEqual([]);
  });

  it('a task keeps resources and scopes without items beside others in one record, or counts them', async () => {
    const running = await startTask(config);
    const span = { name: 'a' };
    const full = { resource: resource('shop'), scopeSpans: [{ scope: { name: 'idle' } }, { spans: [span] }] };
    const whole = { resourceSpans: [{ resource: resource('idle') }, full] };
    await postExport(running.httpPort, 'traces', whole);
    const [record] = texts(await running.stop());
    const byMode: Readonly<Record<string, unknown>> = {
      request: whole,
      resource: { resourceSpans: [full] },
      item: { resourceSpans: [{ ...full, scopeSpans: [{ spans: [span] }] }] },
    };
    expect(JSON.parse(record ?? '')).toEqual(byMode[mode]);
    const counted: Readonly<Record<string, number>> = { request: 0, resource: 1, item: 2 };
    expect(running.metrics.read('EmptyIgnored')).toBe(counted[mode]);
  });
});
