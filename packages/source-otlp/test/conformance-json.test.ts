// OTLP/JSON in and out, over sockets against a whole task.

import { grpcClient } from '@levada/test-peers/otlp';
import { encoded } from '@levada/test-peers/otlp-requests';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import type { SignalName } from '../src/model/signals.ts';
import { type RunningTask, startTask, texts } from './running-task.ts';

const TRACE = '5b8efff798038103d269b633813fc60c';
const SPAN = 'eee19b7ec3c1b174';
let running: RunningTask;
beforeAll(async () => {
  running = await startTask();
});
afterAll(() => running.stop());

interface Taken {
  readonly status: number;
  readonly answer: unknown;
  /** What was written, if anything was. */
  readonly record?: unknown;
}

/** Sends JSON, and takes the record that comes of it. */
async function send(body: string | Uint8Array, signal: SignalName = 'traces'): Promise<Taken> {
  const before = running.metrics.read('TotalMessagesReceived');
  const response = await fetch(`http://127.0.0.1:${running.httpPort}/v1/${signal}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(body),
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  const taken = { status: response.status, answer: await response.json() };
  if (running.metrics.read('TotalMessagesReceived') === before) return taken;
  return { ...taken, record: JSON.parse(texts(await running.take(1))[0] ?? '') as unknown };
}

const ofSpan = (members: string): string => `{"resourceSpans":[{"scopeSpans":[{"spans":[{${members}}]}]}]}`;
const ofAttribute = (value: string): string => ofSpan(`"attributes":[{"key":"k","value":${value}}]`);
const ofPoint = (members: string): string =>
  `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{${members}}]}}]}]}]}`;

/** JSON that stands for itself. */
const same = async (body: string, signal?: SignalName): Promise<void> =>
  expect(await send(body, signal)).toEqual({ status: 200, answer: {}, record: JSON.parse(body) });
const becomes = async (body: string, record: string, signal?: SignalName): Promise<void> =>
  expect(await send(body, signal)).toEqual({ status: 200, answer: {}, record: JSON.parse(record) });
const isRefused = async (body: string | Uint8Array): Promise<void> =>
  expect(await send(body)).toEqual({
    status: 400,
    answer: { code: 3, message: expect.stringMatching(/^Invalid OTLP\/JSON at byte \d+/) },
  });

/* oxlint-disable vitest/expect-expect -- the three above expect */
describe('a document', () => {
  it.each([
    ['text after it', '{} {}'],
    ['text after it that is an object', `${ofSpan('')}${ofSpan('')}`],
    ['a byte order mark', `\ufeff${ofSpan('')}`],
    ['UTF-16', Buffer.from(ofSpan(''), 'utf16le')],
    ['bytes that are no UTF-8', Buffer.from(ofSpan('"name":"\u00ff"'), 'latin1')],
    ['nothing', ''],
    ['another value than an object', '[]'],
    ['a cut end', ofSpan('"name":"a"').slice(0, -3)],
    ['a comma too many', ofSpan('"name":"a",')],
    ['NaN without quotes', ofAttribute('{"doubleValue":NaN}')],
  ])('the receiver refuses a document with %s', (_, body) => isRefused(body));

  it('the receiver replaces half of a surrogate pair with U+FFFD, and keeps the other spans', () =>
    becomes(ofSpan('"name":"cut \\ud83d"},{"name":"whole"'), ofSpan('"name":"cut \ufffd"},{"name":"whole"')));

  it('the receiver ignores unknown fields, also those in snake case', () =>
    becomes(
      ofSpan('"name":"a","trace_id":"x","later":[{"deep":1e400}],"__proto__":{"name":"b"}'),
      ofSpan('"name":"a"'),
    ));

  it('the receiver answers a document of unknown fields only with success, and makes no record', async () => {
    expect(await send('{"resource_spans":[{"scope_spans":[]}]}')).toEqual({ status: 200, answer: {} });
  });

  it('the receiver uses the last value of a field that occurs twice', () =>
    becomes(ofSpan('"name":"first","kind":1,"name":"last"'), ofSpan('"name":"last","kind":1')));

  it('the receiver writes a document compactly on one line', async () => {
    await fetch(`http://127.0.0.1:${running.httpPort}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{ "resourceSpans" : [\n { "scopeSpans" : [ { "spans" : [ { "name" : "a\\nb" } ] } ] } ] }',
    });
    expect(texts(await running.take(1))).toEqual([ofSpan('"name":"a\\nb"')]);
  });
});

describe('an id', () => {
  it('the receiver accepts ids in either case, and writes them in lower case', () =>
    becomes(
      ofSpan(`"traceId":"${TRACE.toUpperCase()}","spanId":"${SPAN}"`),
      ofSpan(`"traceId":"${TRACE}","spanId":"${SPAN}"`),
    ));

  it('the receiver keeps an id of zeros', () => same(ofSpan(`"traceId":"${'0'.repeat(32)}"`)));

  it('the receiver treats an empty or null id as absent', () =>
    becomes(ofSpan('"traceId":"","spanId":null,"name":"a"'), ofSpan('"name":"a"')));

  it.each([
    `"traceId":"${TRACE.slice(1)}"`,
    `"traceId":"${TRACE}0"`,
    `"traceId":"${Buffer.from(TRACE, 'hex').toString('base64')}"`,
    '"traceId":12345',
    `"spanId":"${SPAN}00"`,
    `"links":[{"traceId":"${TRACE.slice(2)}"}]`,
  ])('the receiver refuses an id of another length or form: %s', (members) => isRefused(ofSpan(members)));

  it.each([
    ['traceId', 15],
    ['traceId', 17],
    ['spanId', 7],
    ['parentSpanId', 9],
  ])(
    'the receiver refuses the id of a protobuf request, %s of %i bytes, with its place',
    async (field, length) => {
      const span = { [field]: Buffer.alloc(length, 1).toString('base64') };
      const body = encoded(otlpSchema(), 'traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
      const { code, details } = await grpcClient(running.grpcPort).export('traces', body);
      expect([code, details]).toEqual([
        3,
        expect.stringContaining('resource_spans[0].scope_spans[0].spans[0].'),
      ]);
    },
  );

  it('the receiver writes the same ids for a protobuf request', async () => {
    const ids = {
      traceId: Buffer.from(TRACE, 'hex').toString('base64'),
      spanId: Buffer.from(SPAN, 'hex').toString('base64'),
    };
    const body = encoded(otlpSchema(), 'traces', { resourceSpans: [{ scopeSpans: [{ spans: [ids] }] }] });
    await grpcClient(running.grpcPort).export('traces', body);
    expect(texts(await running.take(1))).toEqual([ofSpan(`"traceId":"${TRACE}","spanId":"${SPAN}"`)]);
  });
});

describe('an enum', () => {
  it('the receiver accepts an enum as a number or by its name, and writes it as a number', async () => {
    await becomes(ofSpan('"kind":"SPAN_KIND_SERVER"'), ofSpan('"kind":2'));
    await same(ofSpan('"kind":77'));
    await isRefused(ofSpan('"kind":"SERVER"'));
  });
});

describe('an integer of 64 bits', () => {
  it.each([
    '"9223372036854775807"',
    '9223372036854775807',
    '"-9223372036854775808"',
    '5',
    '"5"',
    '5.0',
    '5e0',
  ])('the receiver accepts a 64-bit integer as %s, and writes it as text', async (number) => {
    const text = number.startsWith('5') ? '"5"' : `"${number.replaceAll('"', '')}"`;
    expect((await send(ofAttribute(`{"intValue":${number}}`))).record).toEqual(
      JSON.parse(ofAttribute(`{"intValue":${text}}`)),
    );
  });

  it.each(['1.5', '"a"', '""', 'true', '1e400'])('the receiver refuses %s as a 64-bit integer', (number) =>
    isRefused(ofAttribute(`{"intValue":${number}}`)),
  );

  it.each(['-1', '"-1"', '18446744073709551616'])(
    'the receiver refuses %s as an unsigned 64-bit integer',
    (number) => isRefused(ofSpan(`"startTimeUnixNano":${number}`)),
  );

  it.each(['"9223372036854775808"', '-9223372036854775809', '"1e+21"', '1e21'])(
    'the receiver refuses a 64-bit integer beyond its range: %s',
    async (number) => {
      const { status, answer } = await send(ofAttribute(`{"intValue":${number}}`));
      expect([status, answer]).toEqual([
        400,
        {
          code: 3,
          message: expect.stringContaining('/attributes/0/value/intValue"): integer beyond the range'),
        },
      ]);
    },
  );

  it('the receiver converts an integer beyond its range to a double in the form that the JavaScript exporter sends', () =>
    becomes(ofAttribute('{"intValue":1e+21}'), ofAttribute('{"doubleValue":1e+21}')));
});

describe('a double', () => {
  it.each(['0.1', '-0.0', '5e-324', '1.7976931348623157e308', '3'])('a double survives: %s', (number) =>
    same(ofAttribute(`{"doubleValue":${number}}`)),
  );

  it.each(['NaN', 'Infinity', '-Infinity'])('a double survives as text: %s', (text) =>
    same(ofAttribute(`{"doubleValue":"${text}"}`)),
  );

  it('the receiver treats a null double, which the JavaScript exporter sends for NaN, as absent', () =>
    becomes(ofAttribute('{"doubleValue":null}'), ofAttribute('{}')));

  it('the receiver refuses a double beyond its range', () => isRefused(ofAttribute('{"doubleValue":1e400}')));
});

describe('an attribute', () => {
  it('the receiver keeps attribute keys that are special in JavaScript, empty, long or repeated', async () => {
    const keys = ['__proto__', 'constructor', '', 'k'.repeat(100_000), 'twice', 'twice'];
    const attributes = keys.map((key) => (key === '' ? {} : { key }));
    const body = ofSpan(`"attributes":${JSON.stringify(attributes)}`);
    await same(body);
  });

  it('the receiver uses the last of two values of an attribute', () =>
    becomes(ofAttribute('{"stringValue":"a","intValue":"1"}'), ofAttribute('{"intValue":"1"}')));

  it('the receiver keeps an attribute that is nested 64 values deep', () =>
    same(ofAttribute(`${'{"arrayValue":{"values":['.repeat(63)}{"intValue":"1"}${']}}'.repeat(63)}`)));
});

describe('a data point', () => {
  it('a data point is kept unchanged when its counts do not match its bounds', () =>
    same(ofPoint('"bucketCounts":["1"],"explicitBounds":[1,2,3],"count":"9","sum":-1.5'), 'metrics'));

  it('a data point keeps a sum and bounds that are NaN or infinite', () =>
    same(ofPoint('"sum":"NaN","explicitBounds":["-Infinity",0,"Infinity"]'), 'metrics'));
});

it('the receiver keeps schemaUrl where OTLP has it, and ignores it within resources, where the JavaScript exporter puts it', () =>
  becomes(
    '{"resourceLogs":[{"resource":{"schemaUrl":"u","attributes":[]},"schemaUrl":"u","scopeLogs":[{"logRecords":[{}]}]}]}',
    '{"resourceLogs":[{"resource":{},"scopeLogs":[{"logRecords":[{}]}],"schemaUrl":"u"}]}',
    'logs',
  ));
