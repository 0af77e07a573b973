import type { RawConfig, SourceRecord } from '@levada/connect-runtime-core';
import { postExport } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { startTask, texts } from './running-task.ts';

const TRACE = '5b8efff798038103d269b633813fc60c';
const SPAN = 'eee19b7ec3c1b174';

const span = (name: string, traceId = TRACE): object => ({
  traceId,
  spanId: SPAN,
  name,
  kind: 2,
  startTimeUnixNano: '1544712660000000000',
});
const resourceOf = (service: string): object => ({
  attributes: [
    { key: 'host.name', value: { stringValue: 'h' } },
    { key: 'service.name', value: { stringValue: service } },
  ],
});
/** Two services; the first with two spans in two traces. */
const body = {
  resourceSpans: [
    {
      resource: resourceOf('shop'),
      scopeSpans: [{ scope: { name: 'lib' }, spans: [span('one'), span('two', TRACE.replace(/^5/, '6'))] }],
    },
    { resource: resourceOf('bank'), scopeSpans: [{ spans: [span('three')] }] },
  ],
};

async function recordsOf(raw: RawConfig, sent: unknown = body): Promise<SourceRecord[]> {
  const running = await startTask(raw);
  expect((await postExport(running.httpPort, 'traces', sent)).status).toBe(200);
  return running.stop();
}

describe('records of an OTLP task', () => {
  it('records hold one export each, as OTLP/JSON on one line, without key and headers', async () => {
    const [record, ...more] = await recordsOf({});
    expect(more).toEqual([]);
    const [text] = texts([record as SourceRecord]);
    expect(JSON.parse(text ?? '')).toEqual(body);
    expect(text).not.toMatch(/\n/);
    expect(record).toMatchObject({
      topic: 'otlp-traces',
      key: null,
      keySchema: null,
      partition: null,
      headers: [],
      valueSchema: { type: 'string' },
      sourcePartition: { connector_name: 'telemetry', signal_type: 'TRACES' },
    });
    expect(record?.timestamp).toBeGreaterThan(1_700_000_000_000);
  });

  it('records hold the bytes of the request as base64, or unchanged', async () => {
    const [text] = texts(await recordsOf({ 'otlp.message.format': 'protobuf' }));
    const binary = { 'otlp.message.format': 'protobuf', 'otlp.protobuf.encoding': 'binary' };
    const [record] = await recordsOf(binary);
    expect(record?.valueSchema).toMatchObject({ type: 'bytes' });
    expect(Buffer.from(record?.value as Uint8Array).toString('base64')).toBe(text);
  });

  it('a task writes records in the format of the connector that this one replaces with otlp.json.style=snake_case', async () => {
    const [text] = texts(await recordsOf({ 'otlp.json.style': 'snake_case' }));
    const parsed = JSON.parse(text ?? '') as { resource_spans: { scope_spans: { spans: object[] }[] }[] };
    expect(parsed.resource_spans[0]?.scope_spans[0]?.spans[0]).toMatchObject({
      trace_id: Buffer.from(TRACE, 'hex').toString('base64'),
      kind: 'SPAN_KIND_SERVER',
      start_time_unix_nano: '1544712660000000000',
      parent_span_id: '',
      events: [],
    });
  });

  it('records hold one resource each with otlp.record.mode=resource, keyed by service', async () => {
    const records = await recordsOf({ 'otlp.record.mode': 'resource', 'otlp.record.key': 'service_name' });
    expect(records.map(({ key }) => key)).toEqual(['shop', 'bank']);
    const values = texts(records).map((text) => JSON.parse(text) as unknown);
    expect(values).toEqual(body.resourceSpans.map((one) => ({ resourceSpans: [one] })));
  });

  it('records hold one span each with otlp.record.mode=item, keyed by trace', async () => {
    const records = await recordsOf({ 'otlp.record.mode': 'item', 'otlp.record.key': 'trace_id' });
    expect(records.map(({ key }) => key)).toEqual([TRACE, TRACE.replace(/^5/, '6'), TRACE]);
    expect(JSON.parse(texts(records)[1] ?? '')).toEqual({
      resourceSpans: [
        {
          resource: resourceOf('shop'),
          scopeSpans: [{ scope: { name: 'lib' }, spans: [span('two', TRACE.replace(/^5/, '6'))] }],
        },
      ],
    });
  });

  it('a task counts each record when an export makes several', async () => {
    const running = await startTask({ 'otlp.record.mode': 'item' });
    await postExport(running.httpPort, 'traces', body);
    expect(running.metrics.read('TracesReceived')).toBe(3);
    expect(running.metrics.read('TracesQueueSize')).toBe(3);
    expect(running.metrics.read('SpansReceived')).toBe(3);
    expect(running.metrics.read('UnaccountedCount')).toBe(0);
    expect(await running.stop()).toHaveLength(3);
  });

  it('a task describes records in headers with record.headers.enabled=true', async () => {
    const [record] = await recordsOf({ 'record.headers.enabled': 'true' });
    const headers = Object.fromEntries(record?.headers.map(({ key, value }) => [key, value]) ?? []);
    expect(headers).toMatchObject({
      otel_signal_type: 'traces',
      otel_encoding: 'otlp_json',
      'content-type': 'application/json',
      'session.id': record?.sourceOffset?.['session_id'],
      sequence: '1',
      'received.at': String(record?.timestamp),
    });
  });

  it('a task divides records that would be too large for the log, and keeps every span', async () => {
    const spans = Array.from({ length: 40 }, (_, i) => span(`${i} ${'n'.repeat(400)}`));
    const large = { resourceSpans: [{ resource: resourceOf('shop'), scopeSpans: [{ spans }] }] };
    const records = await recordsOf({ 'otlp.record.max.bytes': '4096' }, large);
    expect(records.length).toBeGreaterThan(4);
    expect(Math.max(...texts(records).map(({ length }) => length))).toBeLessThanOrEqual(4096);
    const found = texts(records).flatMap(
      (text) => (JSON.parse(text) as typeof large).resourceSpans[0]?.scopeSpans[0]?.spans,
    );
    expect(found).toEqual(spans);
  });

  it('a task drops an item that is too large by itself, and reports it to the client', async () => {
    const running = await startTask({ 'otlp.record.max.bytes': '4096' });
    const spans = [span('small'), span('n'.repeat(5000)), span('also small')];
    const { status, json } = await postExport(running.httpPort, 'traces', {
      resourceSpans: [{ scopeSpans: [{ spans }] }],
    });
    expect([status, json]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedSpans: '1',
          errorMessage: 'larger than a record may be (4096 bytes)',
        },
      },
    ]);
    const alone = await postExport(running.httpPort, 'traces', {
      resourceSpans: [{ scopeSpans: [{ spans: [span('n'.repeat(5000))] }] }],
    });
    expect(alone.json).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
    expect(running.metrics.read('DroppedRecordTooLarge')).toBe(1);
    expect(running.metrics.read('SpansRejected')).toBe(2);
    const kept = texts(await running.stop()).join('');
    expect([kept.includes('"small"'), kept.includes('also small')]).toEqual([true, true]);
  });
});
