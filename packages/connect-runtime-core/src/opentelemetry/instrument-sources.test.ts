import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  StackContextManager,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SourceRecord, sourceRecord } from '../contract/source-record.ts';
import { sourceMetrics } from '../diagnostics/source-metrics.ts';
import { createSource } from '../library/create-source.ts';
import { pipe } from '../library/pipe.ts';
import { each } from '../sinks/each.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { waitFor } from '../testing/wait-for.ts';
import { type InstrumentSourcesOptions, instrumentSources } from './instrument-sources.ts';
import { withRecordSpan } from './record-span.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = { key: 'traceparent', schema: null, value: `00-${traceId}-${spanId}-01` };

/** An SDK, until the test is over. Records of `given` topics have headers, as a connector of an own may give them. */
function setUp(name: string, options: InstrumentSourcesOptions = {}, config: Record<string, string> = {}) {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager(new StackContextManager().enable());
  const spans = new InMemorySpanExporter();
  const tracing = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 3_600_000 });
  const metering = new MeterProvider({ readers: [reader] });
  const tracer = tracing.getTracer('test');
  const stop = instrumentSources({
    tracer,
    meter: metering.getMeter('test'),
    sources: (source) => source.name === name,
    ...options,
  });
  onTestFinished(async () => {
    stop();
    await metering.shutdown();
    await tracing.shutdown();
    propagation.disable();
    context.disable();
    trace.disable();
    metrics.disable();
  });
  const { connector, peer } = createScriptedConnector();
  const withHeaders = {
    ...connector,
    createTask: () => {
      const task = connector.createTask();
      const poll = task.poll.bind(task);
      task.poll = async () => (await poll()).map((record) => ({ ...record, headers: [traceparent] }));
      return task;
    },
  };
  const raw = { topic: 'prices', 'scripted.batch.size': '2', ...config };
  const source = createSource(withHeaders, raw, { clock: createManualClock(), name });
  const collect = async () => {
    await reader.forceFlush();
    const scopes = exported.getMetrics().at(-1)?.scopeMetrics ?? [];
    return new Map(scopes.flatMap((scope) => scope.metrics).map((one) => [one.descriptor.name, one]));
  };
  const register = (): void => {
    trace.setGlobalTracerProvider(tracing);
    metrics.setGlobalMeterProvider(metering);
  };
  return { source, peer, spans, collect, stop, tracer, register };
}

describe('instrumentSources', () => {
  it('makes a span for each batch, linked to the spans in which its records were made', async () => {
    const { source, peer, spans } = setUp('telemetry-1');
    await source.ready();
    peer.send('1', '2', '3');
    const records = source[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i += 1) await records.next();
    expect(spans.getFinishedSpans()).toMatchObject([
      {
        name: 'process prices',
        kind: SpanKind.CONSUMER,
        status: { code: SpanStatusCode.UNSET },
        attributes: {
          'messaging.system.name': 'levada',
          'messaging.operation.type': 'process',
          'messaging.destination.name': 'prices',
          'messaging.client.id': 'telemetry-1',
          'messaging.batch.message_count': 2,
        },
        links: [{ context: { traceId, spanId } }, { context: { traceId, spanId } }],
      },
    ]);
    await records.return?.();
    expect(spans.getFinishedSpans()[1]?.attributes).toMatchObject({
      'messaging.batch.message_count': 1,
      'levada.batch.settled': false,
    });
  });

  it('marks the span of a batch of which records were given up', async () => {
    const { source, peer, spans } = setUp('telemetry-2');
    await source.ready();
    peer.send('1', '2');
    const batches = source.consumer();
    const records = await batches.next();
    batches.produced(1);
    batches.dropped('produce_rejected', 1);
    batches.committed(records, new Map([[1, 'produce_rejected']]));
    expect(spans.getFinishedSpans()).toMatchObject([
      {
        status: { code: SpanStatusCode.ERROR, message: '1 records were given up' },
        attributes: { 'error.type': 'produce_rejected', 'levada.batch.dropped_count': 1 },
      },
    ]);
    await source.close({ timeoutMs: 0 });
  });

  it('shows the failure of the source on batches that it kept from being settled', async () => {
    const { source, peer, spans } = setUp('telemetry-3', {}, { 'scripted.reconnect.enabled': 'false' });
    await source.ready();
    peer.send('1');
    const batches = source.consumer();
    await batches.next();
    peer.drop('gone');
    await expect(batches.next()).rejects.toThrow('gone');
    await source.close({ timeoutMs: 0 });
    expect(spans.getFinishedSpans()).toMatchObject([
      {
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': 'reconnect_disabled', 'levada.batch.settled': false },
        events: [{ name: 'exception' }],
      },
    ]);
  });

  it('observes the attributes of a source, and its last values after it was closed', async () => {
    const { source, peer, collect } = setUp('telemetry-4');
    await source.ready();
    const connector = 'telemetry-4';
    peer.send('1', '2', '3');
    const connected = await collect();
    expect(connected.get('connect.source.connected')).toMatchObject({
      descriptor: { unit: '' },
      dataPoints: [{ value: 1, attributes: { connector } }],
    });
    const names = [...connected.keys()];
    expect(names).toContain('connect.source.queue_size');
    expect(names.filter((name) => /_(total|seconds|bytes|ratio|percent)$/.test(name))).toEqual([]);
    let records = 0;
    for await (const _ of source) {
      records += 1;
      if (records === 3) break;
    }
    const last = await collect();
    expect(last.get('connect.source.records_produced')?.dataPoints).toMatchObject([{ value: 2 }]);
    const dropped = last.get('connect.source.messages_dropped')?.dataPoints ?? [];
    expect(dropped.find(({ attributes }) => attributes['cause'] === 'delivery_unknown')?.value).toBe(1);
    expect(last.get('messaging.client.consumed.messages')).toMatchObject({
      descriptor: { unit: '{message}' },
      dataPoints: [
        {
          value: 3,
          attributes: { 'messaging.destination.name': 'prices', 'messaging.client.id': connector },
        },
      ],
    });
    expect(last.get('messaging.process.duration')).toMatchObject({
      descriptor: { unit: 's' },
      dataPoints: [{ value: { count: 1 } }],
    });
  });

  it('has one series for each attribute of all sources, in whatever words their tables describe it', async () => {
    const { source, collect } = setUp('telemetry-11', {
      sources: ({ name }) => name.startsWith('telemetry-11'),
    });
    const { connector } = createScriptedConnector();
    const metrics = { ...connector.metrics, QueueSize: { ...sourceMetrics.QueueSize, help: 'What waits' } };
    const other = createSource({ ...connector, metrics }, { topic: 't' }, { name: 'telemetry-11b' });
    await Promise.all([source.ready(), other.ready()]);
    const points = (await collect()).get('connect.source.queue_size')?.dataPoints ?? [];
    expect(points.map(({ attributes }) => attributes['connector'])).toEqual([
      'telemetry-11',
      'telemetry-11b',
    ]);
    await Promise.all([source.close(), other.close()]);
  });

  it('records nothing of sources that are not asked for, and nothing after its end', async () => {
    const left = setUp('telemetry-5', { sources: () => false });
    await left.source.ready();
    left.peer.send('1');
    await left.source[Symbol.asyncIterator]().next();
    await left.source.close({ timeoutMs: 0 });
    expect([left.spans.getFinishedSpans(), (await left.collect()).size]).toEqual([[], 0]);
    const stopped = setUp('telemetry-6');
    await stopped.source.ready();
    stopped.peer.send('1', '2', '3');
    const records = stopped.source[Symbol.asyncIterator]();
    await records.next();
    stopped.stop();
    for (let i = 0; i < 2; i += 1) await records.next();
    await records.return?.();
    expect(stopped.spans.getFinishedSpans()).toMatchObject([
      { attributes: { 'levada.batch.settled': false } },
    ]);
  });

  it('uses the global SDK, which may be started after it', async () => {
    const { source, peer, spans, collect, register } = setUp('telemetry-9', {
      tracer: undefined,
      meter: undefined,
    });
    register();
    await source.ready();
    peer.send('1');
    for await (const _ of source) break;
    expect(spans.getFinishedSpans()).toMatchObject([{ name: 'process prices' }]);
    expect((await collect()).get('messaging.client.consumed.messages')?.dataPoints).toMatchObject([
      { value: 1 },
    ]);
  });

  it('leaves spans to records where that is asked for', async () => {
    const { source, peer, spans, tracer } = setUp('telemetry-7', { spans: 'none' });
    await source.ready();
    peer.send('1');
    for await (const record of source) {
      await withRecordSpan(record, async () => tracer.startSpan('insert').end(), { tracer });
      break;
    }
    const [insert, process] = spans.getFinishedSpans();
    expect(process).toMatchObject({ name: 'process prices', links: [{ context: { traceId, spanId } }] });
    expect(insert?.parentSpanContext?.spanId).toBe(process?.spanContext().spanId);
  });
});

describe('two sources of one name', () => {
  it('have series of their own, and the name is free again after the first', async () => {
    const name = 'telemetry-11';
    const { source, peer, collect } = setUp(name);
    const connectors = [createScriptedConnector(), createScriptedConnector()];
    const [second, third] = connectors.map(({ connector }) =>
      createSource(connector, { topic: 't' }, { name }),
    );
    const labels = async () => {
      const received = (await collect()).get('connect.source.messages_received');
      return received?.dataPoints.map(({ attributes, value }) => [attributes['connector'], value]);
    };
    await source.ready();
    await second?.ready();
    peer.send('1', '2');
    connectors[0]?.peer.send('3');
    await waitFor(() => second?.status()['MessagesReceived'] === 1);
    expect(await labels()).toEqual([
      [name, 2],
      [`${name}-2`, 1],
    ]);
    await source.close();
    await collect();
    await third?.ready();
    expect(await labels()).toContainEqual([name, 0]);
    await Promise.all([second?.close(), third?.close()]);
  });
});

describe('a pipe', () => {
  it('has a span for each batch that ends when its sink has settled it, and one for each record that its callback makes', async () => {
    const { source, peer, spans, tracer } = setUp('telemetry-10');
    const stored: string[] = [];
    const store = async ({ value }: SourceRecord): Promise<void> => void stored.push(String(value));
    const run = pipe(
      source,
      each((record) => withRecordSpan(record, () => store(record), { tracer })),
    );
    await source.ready();
    peer.send('1', '2');
    await waitFor(() => spans.getFinishedSpans().length === 3);
    await run.close();
    const [first, second, batch] = spans.getFinishedSpans();
    expect([stored, first?.name, second?.name]).toEqual([['1', '2'], 'process prices', 'process prices']);
    expect(batch?.attributes).toMatchObject({ 'messaging.batch.message_count': 2 });
    expect(batch?.attributes).not.toHaveProperty('levada.batch.settled');
  });
});

describe('withRecordSpan', () => {
  it('records the failure of the work, and lets it through', async () => {
    const { spans, tracer } = setUp('telemetry-8');
    const record = sourceRecord({
      topic: 'prices',
      value: 1,
      partition: 3,
      headers: [{ ...traceparent, key: 'Traceparent', value: Buffer.from(traceparent.value) }],
    });
    const work = () => Promise.reject(Object.assign(new Error('no room'), { code: 'SQLITE_FULL' }));
    await expect(withRecordSpan(record, work, { tracer, attributes: { 'app.id': 7 } })).rejects.toThrow(
      'no room',
    );
    expect(spans.getFinishedSpans()).toMatchObject([
      {
        name: 'process prices',
        status: { code: SpanStatusCode.ERROR, message: 'no room' },
        attributes: { 'error.type': 'SQLITE_FULL', 'messaging.destination.partition.id': '3', 'app.id': 7 },
        links: [{ context: { traceId, spanId } }],
      },
    ]);
  });

  it('does the work where no SDK is, too', async () => {
    trace.disable();
    expect(await withRecordSpan(sourceRecord({ topic: 't', value: 1 }), async () => 'done')).toBe('done');
  });
});
