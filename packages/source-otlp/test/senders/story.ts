// What the programs in other languages send, as OTLP/JSON. Each makes it by the types of its own SDK.
import type { SignalName } from '../../src/model/signals.ts';

const TRACE = '5b8efff798038103d269b633813fc60c';
const SPAN = 'eee19b7ec3c1b174';
const BEGIN = '1544712660000000001';
const END = '1544712661999999999';
/** Whether the parent is of another process is known: it is not. */
const LOCAL = 0x100;
const SAMPLED = 1;

interface Attribute {
  readonly key: string;
  readonly value: object;
}

const attribute = (key: string, value: object): Attribute => ({ key, value });
const text = (key: string, value: string): Attribute => attribute(key, { stringValue: value });
const double = (key: string, value: number | string): Attribute => attribute(key, { doubleValue: value });
const array = (key: string, ...values: readonly object[]): Attribute =>
  attribute(key, { arrayValue: values.length === 0 ? {} : { values } });

const kinds: readonly Attribute[] = [
  attribute('bool', { boolValue: true }),
  attribute('bool.false', { boolValue: false }),
  attribute('int.highest', { intValue: '9223372036854775807' }),
  attribute('int.lowest', { intValue: '-9223372036854775808' }),
  attribute('int.zero', { intValue: '0' }),
  double('double', 0.1),
  double('double.whole', 3),
  double('double.large', 1e21),
  double('double.smallest', 5e-324),
  double('double.nan', 'NaN'),
  double('double.above', 'Infinity'),
  double('double.below', '-Infinity'),
  double('double.zero', -0),
  text('text', 'grün 😀 "\\/\u0000\u2028'),
  text('text.empty', ''),
  array('texts', { stringValue: 'a' }, { stringValue: '' }),
  array('ints', { intValue: '1' }, { intValue: '-2' }),
  array('doubles', { doubleValue: 0.5 }),
  array('bools', { boolValue: true }, { boolValue: false }),
  array('none'),
  text('__proto__', 'plain'),
];
/** In the order that Java gives them. */
const everyKind = kinds.toSorted((one, other) => (one.key < other.key ? -1 : 1));

const resource = { attributes: [text('service.name', 'shop')] };
const scope = { name: 'checkout', version: '1.2.3' };
const schemaUrl = 'https://schema.test/1';
const scopeSchemaUrl = 'https://schema.test/2';
const region = [text('region', 'eu')];
const times = {
  startTimeUnixNano: BEGIN,
  timeUnixNano: END,
};

/** The export of each signal. */
export const story = {
  traces: {
    resourceSpans: [
      {
        resource,
        schemaUrl,
        scopeSpans: [
          {
            scope,
            schemaUrl: scopeSchemaUrl,
            spans: [
              {
                traceId: TRACE,
                spanId: SPAN,
                traceState: 'vendor=1,other=2',
                parentSpanId: 'eee19b7ec3c1b173',
                name: 'buy',
                kind: 2,
                startTimeUnixNano: BEGIN,
                endTimeUnixNano: END,
                attributes: everyKind,
                droppedAttributesCount: 1,
                events: [
                  {
                    timeUnixNano: END,
                    name: 'paid',
                    attributes: [double('amount', 9.5)],
                    droppedAttributesCount: 4,
                  },
                  { timeUnixNano: END, name: 'bare' },
                ],
                droppedEventsCount: 2,
                links: [
                  {
                    traceId: TRACE,
                    spanId: 'eee19b7ec3c1b172',
                    attributes: [text('why', 'batch')],
                    droppedAttributesCount: 5,
                    flags: LOCAL,
                  },
                ],
                droppedLinksCount: 3,
                status: { message: 'out of stock', code: 2 },
                flags: LOCAL,
              },
            ],
          },
        ],
      },
    ],
  },
  metrics: {
    resourceMetrics: [
      {
        resource,
        schemaUrl,
        scopeMetrics: [
          {
            scope,
            schemaUrl: scopeSchemaUrl,
            metrics: [
              {
                name: 'orders',
                description: 'Orders',
                unit: '{order}',
                sum: {
                  aggregationTemporality: 2,
                  isMonotonic: true,
                  dataPoints: [
                    {
                      ...times,
                      attributes: region,
                      asInt: '9223372036854775807',
                      exemplars: [
                        {
                          filteredAttributes: [text('customer', '7')],
                          timeUnixNano: END,
                          asInt: '-3',
                          spanId: SPAN,
                          traceId: TRACE,
                        },
                      ],
                    },
                  ],
                },
              },
              {
                name: 'temperature',
                gauge: {
                  dataPoints: [
                    { timeUnixNano: END, asDouble: -0 },
                    { timeUnixNano: END, asDouble: 'NaN' },
                  ],
                },
              },
              {
                name: 'times',
                unit: 'ms',
                histogram: {
                  aggregationTemporality: 1,
                  dataPoints: [
                    {
                      ...times,
                      attributes: region,
                      count: '3',
                      sum: 55.5,
                      bucketCounts: ['1', '1', '1'],
                      explicitBounds: [1, 10],
                      min: 0.5,
                      max: 50,
                    },
                  ],
                },
              },
              {
                name: 'sizes',
                exponentialHistogram: {
                  aggregationTemporality: 2,
                  dataPoints: [
                    {
                      ...times,
                      attributes: region,
                      count: '5',
                      sum: 2,
                      scale: -1,
                      zeroCount: '1',
                      positive: { offset: -2, bucketCounts: ['1', '0', '2'] },
                      negative: { offset: 3, bucketCounts: ['1'] },
                      min: -8,
                      max: 4,
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  },
  logs: {
    resourceLogs: [
      {
        resource,
        schemaUrl,
        scopeLogs: [
          {
            scope,
            schemaUrl: scopeSchemaUrl,
            logRecords: [
              {
                timeUnixNano: BEGIN,
                observedTimeUnixNano: END,
                severityNumber: 13,
                severityText: 'warn',
                body: {
                  kvlistValue: {
                    values: [
                      attribute('inner', { kvlistValue: { values: [double('deep', 0.5)] } }),
                      array('items', { intValue: '1' }, { stringValue: 'two' }, { boolValue: true }),
                      attribute('raw', { bytesValue: 'AP8=' }),
                    ],
                  },
                },
                attributes: everyKind,
                droppedAttributesCount: 6,
                flags: SAMPLED,
                traceId: TRACE,
                spanId: SPAN,
                eventName: 'stock.low',
              },
            ],
          },
        ],
      },
    ],
  },
} as const satisfies Partial<Record<SignalName, unknown>>;
