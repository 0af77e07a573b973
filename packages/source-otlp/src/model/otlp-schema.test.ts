import {
  create,
  createFileRegistry,
  type DescFile,
  fromBinary,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { everyKind, logsOfSdk, metricsOfSdk, spansOfSdk } from '../../test/sdk-requests.ts';
import { otlpSchema } from './otlp-schema.ts';
import { type SignalName, signalNames, signals } from './signals.ts';

const schema = otlpSchema();

/** The request as canonical JSON, in which ids are base64. Fails when any message in it has fields that the schema lacks. */
function decoded(signal: SignalName, request: Uint8Array): JsonValue {
  const message = fromBinary(schema.request(signal), request);
  expect(unknownFields(message)).toEqual([]);
  return toJson(schema.request(signal), message);
}

function unknownFields(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$unknown' ? [inner] : unknownFields(inner),
  );
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

const keyValues = [
  { key: 'text', value: { stringValue: everyKind['text'] } },
  { key: 'empty', value: { stringValue: '' } },
  { key: 'yes', value: { boolValue: true } },
  { key: 'whole', value: { intValue: '42' } },
  { key: 'below', value: { intValue: '-7' } },
  { key: 'large', value: { intValue: '9007199254740991' } },
  { key: 'part', value: { doubleValue: 0.25 } },
  { key: 'texts', value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } } },
  { key: 'wholes', value: { arrayValue: { values: [{ intValue: '1' }, { intValue: '2' }] } } },
  { key: 'flags', value: { arrayValue: { values: [{ boolValue: true }, { boolValue: false }] } } },
];
const resource = {
  attributes: [
    { key: 'service.name', value: { stringValue: 'shop' } },
    { key: 'host.cores', value: { intValue: '4' } },
  ],
};

describe('otlpSchema', () => {
  it('the schema decodes spans of the SDK to their original values, without unknown fields', () => {
    const { request, ids } = spansOfSdk();
    const [child, parent, linked] = ids.map(({ traceId, spanId }) => ({
      traceId: base64(traceId),
      spanId: base64(spanId),
    }));
    expect(decoded('traces', request)).toEqual({
      resourceSpans: [
        {
          resource,
          schemaUrl: 'https://schema/1',
          scopeSpans: [
            {
              scope: { name: 'checkout', version: '1.2.3' },
              schemaUrl: 'https://schema/2',
              spans: [
                {
                  ...child,
                  parentSpanId: parent?.spanId,
                  name: 'pick',
                  kind: 'SPAN_KIND_CLIENT',
                  startTimeUnixNano: '1700000000000000007',
                  endTimeUnixNano: '1700000002000000008',
                  status: {},
                  flags: 0x101,
                },
                {
                  ...parent,
                  name: 'buy',
                  kind: 'SPAN_KIND_SERVER',
                  startTimeUnixNano: '1700000000000000005',
                  endTimeUnixNano: '1700000003000000009',
                  attributes: keyValues,
                  events: [
                    {
                      timeUnixNano: '1700000001000000006',
                      name: 'paid',
                      attributes: [{ key: 'amount', value: { doubleValue: 9.5 } }],
                    },
                  ],
                  links: [
                    {
                      ...linked,
                      attributes: [{ key: 'why', value: { stringValue: 'batch' } }],
                      flags: 0x101,
                    },
                  ],
                  status: { message: 'out of stock', code: 'STATUS_CODE_ERROR' },
                  flags: 0x101,
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('the schema decodes sums, gauges and both histograms of the SDK to their original values', async () => {
    const times = { startTimeUnixNano: expect.any(String), timeUnixNano: expect.any(String) };
    const temporality = { aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE' };
    const buckets = Array.from({ length: 129 }, (_, index) => (index % 64 === 0 ? '1' : '0'));
    expect(decoded('metrics', await metricsOfSdk())).toEqual({
      resourceMetrics: [
        {
          resource,
          schemaUrl: 'https://schema/1',
          scopeMetrics: [
            {
              scope: { name: 'checkout', version: '1.2.3' },
              metrics: expect.arrayContaining([
                {
                  name: 'orders',
                  description: 'Orders',
                  unit: '{order}',
                  sum: {
                    dataPoints: [
                      {
                        ...times,
                        asInt: '3',
                        attributes: [{ key: 'region', value: { stringValue: 'eu' } }],
                      },
                    ],
                    ...temporality,
                    isMonotonic: true,
                  },
                },
                { name: 'load', sum: { dataPoints: [{ ...times, asDouble: -1.5 }], ...temporality } },
                {
                  name: 'temperature',
                  gauge: { dataPoints: [{ ...times, asDouble: 21.5, attributes: keyValues }] },
                },
                {
                  name: 'times',
                  histogram: {
                    dataPoints: [
                      {
                        ...times,
                        count: '3',
                        sum: 55.5,
                        bucketCounts: ['1', '1', '1'],
                        explicitBounds: [1, 10],
                        min: 0.5,
                        max: 50,
                      },
                    ],
                    ...temporality,
                  },
                },
                {
                  name: 'sizes',
                  exponentialHistogram: {
                    dataPoints: [
                      {
                        ...times,
                        count: '4',
                        sum: 7,
                        scale: 6,
                        zeroCount: '1',
                        positive: { offset: -1, bucketCounts: buckets },
                        negative: {},
                        min: 0,
                        max: 4,
                      },
                    ],
                    ...temporality,
                  },
                },
              ]),
            },
          ],
        },
      ],
    });
  });

  it('the schema decodes log records of the SDK to their original values', () => {
    const { request, ids } = logsOfSdk();
    const nested = { key: 'three', value: { boolValue: true } };
    const items = [{ intValue: '1' }, { stringValue: 'two' }, { kvlistValue: { values: [nested] } }];
    expect(decoded('logs', request)).toEqual({
      resourceLogs: [
        {
          resource,
          schemaUrl: 'https://schema/1',
          scopeLogs: [
            {
              scope: { name: 'checkout' },
              logRecords: [
                {
                  timeUnixNano: '1700000000000000001',
                  observedTimeUnixNano: '1700000000000000002',
                  severityNumber: 'SEVERITY_NUMBER_WARN',
                  severityText: 'warn',
                  eventName: 'stock.low',
                  body: {
                    kvlistValue: {
                      values: [
                        { key: 'items', value: { arrayValue: { values: items } } },
                        { key: 'raw', value: { bytesValue: 'AP8=' } },
                        { key: 'nothing', value: {} },
                      ],
                    },
                  },
                  attributes: keyValues,
                  traceId: base64(ids.traceId),
                  spanId: base64(ids.spanId),
                  flags: 1,
                },
                {
                  timeUnixNano: '1700000001000000000',
                  observedTimeUnixNano: '1700000001000000000',
                  body: { stringValue: 'plain' },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('the schema lists each schema file after the files that it imports', () => {
    const seen = new Set<string>();
    for (const { name, dependencies } of schema.files()) {
      expect(dependencies.filter((dependency) => !seen.has(dependency))).toEqual([]);
      seen.add(name);
    }
    expect(seen.size).toBe(13);
  });

  it('the schema returns each file as a descriptor that defines its symbols', () => {
    const file = schema.files().map(({ bytes }) => fromBinary(FileDescriptorProtoSchema, bytes));
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
    for (const { name, symbols } of schema.files()) {
      const file = registry.getFile(name) as DescFile;
      const defined = Array.from(nestedTypes(file), ({ typeName }) => typeName);
      const methods = file.services.flatMap((service) =>
        service.methods.map((method) => `${service.typeName}.${method.name}`),
      );
      expect(symbols.toSorted()).toEqual([...defined, ...methods].toSorted());
    }
  });

  it('the schema contains the messages and the service of each signal', () => {
    const symbols = new Set(schema.files().flatMap((file) => file.symbols));
    for (const name of signalNames) {
      const { request, response, service } = signals[name];
      expect(schema.request(name).typeName).toBe(request);
      expect(schema.message(response).typeName).toBe(response);
      expect(symbols).toContain(`${service}.Export`);
    }
  });

  it('the schema contains the services that gRPC servers commonly offer', () => {
    const symbols = schema.files().flatMap((file) => file.symbols);
    expect(symbols).toEqual(
      expect.arrayContaining([
        'grpc.health.v1.Health.Check',
        'grpc.health.v1.Health.Watch',
        'grpc.health.v1.HealthCheckResponse.ServingStatus',
        'grpc.reflection.v1.ServerReflection.ServerReflectionInfo',
        'grpc.reflection.v1alpha.ServerReflection.ServerReflectionInfo',
      ]),
    );
  });

  it('the schema refuses a name that it does not have', () => {
    expect(() => schema.message('no.Such')).toThrow(
      new RangeError('the OTLP schema has no message "no.Such"'),
    );
  });
});
