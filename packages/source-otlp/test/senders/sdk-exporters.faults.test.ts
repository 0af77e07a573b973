import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceRecord } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { logSaying, postExport, spanNamed, sumNamed } from '@levada/test-peers/otlp';
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type RunningTask, startTask, texts } from '../running-task.ts';
import { comparable, comparableRecords } from './comparable-request.ts';
import { bySignal } from './records-by-signal.ts';
import { exportAll, type SdkProtocol, sdkExporters, sdkProtocols } from './sdk-exporters.ts';
import { plainBodies, plainValues, type SdkStory, sdkStory, wildValues } from './sdk-story.ts';

const signals = ['traces', 'metrics', 'logs'] as const;
const plainNumbers = [21.5, -0.25, 3, 0];
const wildNumbers = Object.values(wildValues);
let plain: SdkStory;
let wild: SdkStory;
beforeAll(async () => {
  plain = await sdkStory({ values: plainValues, numbers: plainNumbers, bodies: plainBodies });
  const values = { ...plainValues, ...wildValues };
  // Without a body there is none in protobuf, and an empty one from http/json.
  wild = await sdkStory({ values, numbers: wildNumbers, bodies: [undefined] });
});

/** What the SDK's own serializers make of it. */
const wireOf = ({ traces, metrics, logs }: SdkStory): Readonly<Record<string, Uint8Array>> => ({
  traces: ProtobufTraceSerializer.serializeRequest(traces) as Uint8Array,
  metrics: ProtobufMetricsSerializer.serializeRequest(metrics) as Uint8Array,
  logs: ProtobufLogsSerializer.serializeRequest(logs) as Uint8Array,
});

const sentBy = (story: SdkStory): object =>
  Object.fromEntries(signals.map((signal) => [signal, comparable(signal, wireOf(story)[signal])]));

const urlOf = ({ grpcPort, httpPort }: RunningTask, protocol: SdkProtocol): string =>
  `http://127.0.0.1:${protocol === 'grpc' ? grpcPort : httpPort}`;

const gzips = sdkProtocols.flatMap((protocol) => [false, true].map((gzip) => ({ protocol, gzip })));

describe('exporters of the JavaScript SDK', () => {
  it.each(gzips)(
    'the exporters deliver what was measured over $protocol, with gzip: $gzip',
    async ({ protocol, gzip }) => {
      const running = await startTask();
      await exportAll(sdkExporters(protocol, { url: urlOf(running, protocol), gzip }), plain);
      expect(comparableRecords(await running.stop())).toEqual(sentBy(plain));
    },
  );

  it.each(['grpc', 'http/protobuf'] as const)(
    'the exporters deliver NaN, infinities, -0 and 64-bit limits over %s',
    async (protocol) => {
      const running = await startTask();
      await exportAll(sdkExporters(protocol, { url: urlOf(running, protocol) }), wild);
      expect(comparableRecords(await running.stop())).toEqual(sentBy(wild));
    },
  );

  it('the exporters deliver values that JSON numbers cannot hold over http/json as far as the exporter writes them', async () => {
    const running = await startTask();
    await exportAll(sdkExporters('http/json', { url: urlOf(running, 'http/json') }), wild);
    const records = bySignal(await running.stop()) as unknown as JsonRecords;
    const spans = records.traces.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const attributes = spans.find(({ name }) => name === 'buy')?.attributes ?? [];
    const values = Object.fromEntries(attributes.map(({ key, value }) => [key, value]));
    expect(Object.fromEntries(Object.keys(wildValues).map((key) => [key, values[key]]))).toEqual({
      nan: {},
      above: {},
      under: {},
      huge: { doubleValue: 1e21 },
      highest: { intValue: '9223372036854775000' },
      beyond: { doubleValue: 2 ** 63 },
      lowest64: { doubleValue: -(2 ** 63) },
      zero: { intValue: '0' },
    });
    const metrics = records.metrics.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
    const points = metrics.find(({ name }) => name === 'temperature')?.gauge?.dataPoints ?? [];
    const measured = points.map(({ asDouble }) => asDouble);
    expect(measured).toEqual([undefined, undefined, undefined, 1e21, 2 ** 63 - 1024, 2 ** 63, -(2 ** 63), 0]);
  });

  it.each(['grpc', 'http/protobuf'] as const)(
    'the exporters write with otlp.message.format=protobuf the exact bytes that were sent over %s',
    async (protocol) => {
      const running = await startTask({ 'otlp.message.format': 'protobuf' });
      await exportAll(sdkExporters(protocol, { url: urlOf(running, protocol) }), wild);
      const sent = wireOf(wild);
      for (const record of await running.stop()) {
        const wire = sent[record.topic.replace('otlp-', '')] ?? new Uint8Array();
        expect(texts([record])[0]).toBe(Buffer.from(wire).toString('base64'));
      }
    },
  );

  it.each(['http/protobuf', 'http/json'] as const)(
    'the exporters lose nothing over %s while the queues are full',
    async (protocol) => {
      const running = await startTask({ 'otlp.message.queue.size': '1' });
      const { httpPort, metrics } = running;
      await postExport(httpPort, 'traces', spanNamed('before'));
      await postExport(httpPort, 'metrics', sumNamed('before'));
      await postExport(httpPort, 'logs', logSaying('before'));
      const sent = exportAll(sdkExporters(protocol, { url: urlOf(running, protocol) }), plain);
      await waitFor(() => metrics.read('TotalMessagesDropped') >= 3);
      await running.take(3);
      await sent;
      expect(comparableRecords(await running.stop())).toEqual(sentBy(plain));
    },
  );

  it.each(['http/protobuf', 'http/json'] as const)(
    'the exporters lose nothing over %s with otlp.ack.mode=produced while the log does not acknowledge',
    async (protocol) => {
      const running = await startTask({ 'otlp.ack.mode': 'produced', 'otlp.ack.timeout.ms': '300' });
      const { metrics, task } = running;
      const sent = exportAll(sdkExporters(protocol, { url: urlOf(running, protocol) }), plain);
      await waitFor(() => metrics.read('RejectedUnavailable') >= 3);
      const acknowledged = new Map<string, SourceRecord>();
      let polling = true;
      const log = (async () => {
        while (polling) {
          const batch = await running.poll();
          for (const record of batch)
            acknowledged.set(record.topic, { ...record, value: Buffer.from(record.value as Uint8Array) });
          task.committed(batch, new Map());
        }
      })();
      await sent;
      polling = false;
      await task.stop();
      await log;
      expect(comparableRecords([...acknowledged.values()])).toEqual(sentBy(plain));
    },
  );

  it('the exporters lose nothing over gRPC with otlp.ack.mode=spool while the log is away, although clients never retry', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const running = await startTask({
      'otlp.ack.mode': 'spool',
      'otlp.spool.path': folder,
      'otlp.message.queue.size': '1',
    });
    const url = urlOf(running, 'grpc');
    for (let i = 0; i < 5; i += 1) await exportAll(sdkExporters('grpc', { url }), plain);
    const records = await running.take(15);
    for (const topic of ['otlp-traces', 'otlp-metrics', 'otlp-logs'])
      expect(records.filter((record) => record.topic === topic)).toHaveLength(5);
    expect(running.metrics.read('TotalMessagesDropped')).toBe(0);
    await running.stop();
  });

  it('the exporters give up at once when a gRPC export is answered with a full queue', async () => {
    const running = await startTask({ 'otlp.message.queue.size': '1' });
    await postExport(running.httpPort, 'traces', spanNamed('before'));
    const sent = exportAll(sdkExporters('grpc', { url: urlOf(running, 'grpc') }), plain);
    await expect(sent).rejects.toThrow('queue full');
    expect(running.metrics.read('TracesDropped')).toBe(1);
    await running.stop();
  });
});

interface JsonRecords {
  readonly traces: {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly {
        readonly spans: readonly {
          readonly name?: string;
          readonly attributes: readonly { readonly key: string; readonly value: object }[];
        }[];
      }[];
    }[];
  };
  readonly metrics: {
    readonly resourceMetrics: readonly {
      readonly scopeMetrics: readonly {
        readonly metrics: readonly {
          readonly name: string;
          readonly gauge?: { readonly dataPoints: readonly { readonly asDouble?: number }[] };
        }[];
      }[];
    }[];
  };
}
