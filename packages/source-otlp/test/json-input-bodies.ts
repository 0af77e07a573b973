// Bodies as SDKs send them in OTLP/JSON, about 100 items each.
import type { SignalName } from '../src/model/signals.ts';

/** A body and what is in it. */
export interface JsonBody {
  readonly name: string;
  readonly signal: SignalName;
  readonly json: Buffer;
}

const ITEMS = 100;
const START = 1_700_000_000_000_000_000n;

const hex = (n: number, digits: number): string =>
  (BigInt(n + 1) * 0x9e3779b97f4a7c15f39cc0605cedc835n).toString(16).padStart(32, '0').slice(-digits);
const time = (n: number): string => `${START + BigInt(n) * 1_234_567_891n}`;
const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } });
const whole = (key: string, intValue: number | string): object => ({ key, value: { intValue } });

const resource = {
  attributes: [
    text('service.name', 'checkout'),
    text('service.version', '2.14.1'),
    text('host.name', 'ip-10-0-12-34.eu-central-1.compute.internal'),
    text('telemetry.sdk.language', 'nodejs'),
    whole('process.pid', 4242),
  ],
  droppedAttributesCount: 0,
};
const scope = { name: '@example/instrumentation-http', version: '0.57.1' };

function span(n: number): object {
  return {
    traceId: hex(n, 32),
    spanId: hex(n + 500, 16),
    parentSpanId: hex(n + 900, 16),
    name: `GET /api/orders/${n % 7}`,
    kind: 2,
    startTimeUnixNano: time(n),
    endTimeUnixNano: time(n + 1),
    attributes: [
      text('http.request.method', 'GET'),
      text('url.full', `https://shop.example.com/api/orders/${n}?page=2&size=50`),
      whole('http.response.status_code', 200),
      text('network.peer.address', '10.0.12.34'),
      whole('network.peer.port', 443),
      { key: 'http.request.duration', value: { doubleValue: n * 1.37 + 0.1 } },
    ],
    droppedAttributesCount: 0,
    events: [
      {
        attributes: [text('message.type', 'SENT')],
        name: 'message',
        timeUnixNano: time(n),
        droppedAttributesCount: 0,
      },
    ],
    droppedEventsCount: 0,
    status: { code: 0 },
    links: [],
    droppedLinksCount: 0,
    flags: 257,
  };
}

function logRecord(n: number): object {
  return {
    timeUnixNano: time(n),
    observedTimeUnixNano: time(n),
    severityNumber: 9,
    severityText: 'INFO',
    body: { stringValue: `Order ${n} was placed by customer "${n * 7}" for 12,50 €\n\tin 34 ms` },
    attributes: [text('logger.name', 'com.example.shop.OrderService'), whole('thread.id', 12)],
    droppedAttributesCount: 0,
    traceId: hex(n, 32),
    spanId: hex(n, 16),
    flags: 1,
  };
}

function histogramPoint(n: number): object {
  return {
    attributes: [text('http.route', `/api/orders/${n}`), whole('http.response.status_code', 200)],
    startTimeUnixNano: time(0),
    timeUnixNano: time(n),
    count: 1000 + n,
    sum: n * 17.31,
    bucketCounts: [0, 12, 301, 400, 200, 50, 20, 10, 5, 2, n, 0, 0, 0, 0, 0],
    explicitBounds: [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000],
    min: 0.125,
    max: 987.25,
  };
}

function bodyOf(name: string, signal: SignalName, request: object): JsonBody {
  return { name, signal, json: Buffer.from(JSON.stringify(request)) };
}

function all<T>(item: (n: number) => T, count = ITEMS): T[] {
  return Array.from({ length: count }, (_, n) => item(n));
}

const spans = (count: number): object => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope, spans: all(span, count) }] }],
});
const prose = '注文は確定しました。Заказ подтверждён. ';

/** One body for each shape of data that costs differently. */
export const jsonBodies: readonly JsonBody[] = [
  bodyOf('100 spans', 'traces', spans(ITEMS)),
  bodyOf('1 span', 'traces', spans(1)),
  bodyOf('100 log records', 'logs', {
    resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: all(logRecord) }] }],
  }),
  bodyOf('100 histogram points', 'metrics', {
    resourceMetrics: [
      {
        resource,
        scopeMetrics: [
          {
            scope,
            metrics: [
              {
                name: 'http.server.request.duration',
                unit: 's',
                histogram: { dataPoints: all(histogramPoint), aggregationTemporality: 2 },
              },
            ],
          },
        ],
      },
    ],
  }),
  bodyOf('100 long messages', 'logs', {
    resourceLogs: [
      {
        scopeLogs: [
          { logRecords: all((n) => ({ timeUnixNano: time(n), body: { stringValue: prose.repeat(20) } })) },
        ],
      },
    ],
  }),
];

/** Bodies of about this size, built to be expensive to read. */
export function hostileBodies(bytes: number): readonly JsonBody[] {
  const fill = (unit: string): string =>
    Array.from({ length: Math.ceil(bytes / (unit.length + 1)) }, () => unit).join();
  const spansOf = (items: string): string => `{"resourceSpans":[{"scopeSpans":[{"spans":[${items}]}]}]}`;
  const points = (list: string, items: string): string =>
    `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{"${list}":[${items}]}]}}]}]}]}`;
  const nested = (inner: string): string =>
    `${'{"arrayValue":{"values":['.repeat(63)}${inner}${']}}'.repeat(63)}`;
  const bodies: readonly (readonly [name: string, signal: SignalName, json: string])[] = [
    ['unknown keys', 'traces', spansOf(`{${fill('"a":1')}}`)],
    ['keys in escapes', 'traces', spansOf(`{${fill('"\\u006eame":""')}}`)],
    ['a key again and again', 'traces', spansOf(`{${fill('"name":"b"')}}`)],
    ['a key twice in each of many spans', 'traces', spansOf(fill('{"kind":1,"kind":2}'))],
    ['a key twice at the end', 'traces', spansOf(`${fill('{"kind":1}')},{"kind":1,"kind":2}`)],
    ['zeros of 64 bits', 'metrics', points('bucketCounts', fill('0'))],
    ['integers with exponents', 'metrics', points('bucketCounts', fill('9e18'))],
    ['doubles beyond the quick way', 'metrics', points('explicitBounds', fill('9e99'))],
    ['doubles as "NaN"', 'metrics', points('explicitBounds', fill('"NaN"'))],
    ['one long integer', 'traces', spansOf(`{"kind":1${'0'.repeat(bytes)}e-${bytes}}`)],
    [
      '64 AnyValues around a long text',
      'logs',
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${nested(`{"stringValue":"${'x'.repeat(bytes)}"}`)}}]}]}]}`,
    ],
    ['100 arrays inside each other', 'traces', `{"x":[${fill(`${'['.repeat(99)}${']'.repeat(99)}`)}]}`],
    [
      'base64 in escapes',
      'traces',
      `{"resourceSpans":[{"resource":{"attributes":[{"value":{"bytesValue":"${'\\/\\/\\/\\/'.repeat(bytes / 8)}"}}]}}]}`,
    ],
    ['refused at its end', 'traces', `{${fill('"a":[[],{"b":1}]')},}`],
  ];
  return bodies.map(([name, signal, json]) => ({ name, signal, json: Buffer.from(json) }));
}
