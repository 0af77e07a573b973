import { describe, expect, it } from 'vitest';
import { InvalidExport } from '../src/export/check-export.ts';
import type { SignalName } from '../src/model/signals.ts';
import {
  attribute,
  bodyOfSpan,
  jsonToExport,
  readAnyValue,
  readBack,
  readSpan,
} from './json-input-reader.ts';

const spans = (members: string) => (): unknown => jsonToExport('traces', Buffer.from(bodyOfSpan(members)));
const body =
  (bytes: string | Uint8Array, signal: SignalName = 'traces') =>
  (): unknown =>
    jsonToExport(signal, Buffer.from(bytes));
const TRACE = '5B8EFFF798038103D269B633813FC60C';
const SPAN = 'eee19b7ec3c1b174';

describe('null', () => {
  it('the reader treats null as an absent field', () => {
    expect(
      readSpan('"name":null,"kind":null,"traceId":null,"attributes":null,"status":null,"flags": null '),
    ).toEqual({});
  });

  it.each(['doubleValue', 'stringValue', 'intValue', 'arrayValue', 'bytesValue'])(
    'the reader reads null in %s as an attribute without a value',
    (member) => expect(readAnyValue(`{"${member}":null}`)).toBe('{}'),
  );

  it('the reader reads null in asDouble as a data point without a value', () => {
    const json =
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"gauge":{"dataPoints":[{"asDouble":null,"flags":1}]}}]}]}]}';
    const read = readBack('metrics', json);
    expect(read).toEqual(JSON.parse(json.replace('"asDouble":null,', '')));
  });

  it('the reader reads null in a list of messages as a message without fields, and refuses it in other lists', () => {
    expect(readAnyValue('{"arrayValue":{"values":[null,{"intValue":1},null]}}')).toBe(
      '{"arrayValue":{"values":[{},{"intValue":"1"},{}]}}',
    );
    const json =
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{"bucketCounts":[null]}]}}]}]}]}';
    expect(body(json, 'metrics')).toThrow('expected an integer');
    expect(body('{"dictionary":{"stringTable":[null]}}', 'profiles')).toThrow('null in a list');
  });
});

describe('ids', () => {
  it('the reader accepts ids in either case', () => {
    const read = { traceId: TRACE.toLowerCase(), spanId: SPAN, parentSpanId: SPAN };
    expect(
      readSpan(`"traceId":"${TRACE}","spanId":"${SPAN}","parentSpanId":"${SPAN.toUpperCase()}"`),
    ).toEqual(read);
  });

  it('the reader treats empty ids as absent, and keeps those of zeros', () => {
    expect(readSpan(`"traceId":"","spanId":"${'0'.repeat(16)}"`)).toEqual({ spanId: '0'.repeat(16) });
  });

  it.each([
    ['traceId', `"${TRACE.slice(1)}"`],
    ['traceId', `"${TRACE}0"`],
    ['traceId', `"${TRACE}00"`],
    ['traceId', `"${SPAN}"`],
    ['traceId', '"W47/95gDgQPSabYzgT/GDA=="'],
    ['traceId', `"${TRACE.slice(2)}zz"`],
    ['traceId', `"${TRACE.slice(1)}\\n"`],
    ['traceId', '123'],
    ['traceId', '[]'],
    ['spanId', `"${SPAN.slice(1)}"`],
    ['spanId', `"${TRACE}"`],
    ['parentSpanId', '"7uGbfsPBsXQ="'],
  ])('the reader refuses %s of %s', (member, id) => {
    const digits = member === 'traceId' ? 32 : 16;
    expect(spans(`"${member}":${id}`)).toThrow(
      new RegExp(
        `at byte \\d+ \\("/resourceSpans/0/scopeSpans/0/spans/0/${member}"\\): expected ${digits} hexadecimal`,
      ),
    );
  });

  it('the reader decodes ids of links, exemplars, log records and profiles from hexadecimal', () => {
    const ids = `"traceId":"${TRACE.toLowerCase()}","spanId":"${SPAN}"`;
    const point = `{"metrics":[{"gauge":{"dataPoints":[{"exemplars":[{"spanId":"${SPAN}","traceId":"${TRACE.toLowerCase()}"}]}]}}]}`;
    const bodies: readonly (readonly [SignalName, string])[] = [
      ['traces', bodyOfSpan(`"links":[{${ids}}]`)],
      ['metrics', `{"resourceMetrics":[{"scopeMetrics":[${point}]}]}`],
      ['logs', `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{${ids}}]}]}]}`],
      ['profiles', `{"dictionary":{"linkTable":[{${ids}}]}}`],
    ];
    for (const [signal, json] of bodies) expect(readBack(signal, json)).toEqual(JSON.parse(json));
  });
});

describe('other values', () => {
  it.each([
    ['{"boolValue":true}', '{"boolValue":true}'],
    ['{"boolValue":false}', '{"boolValue":false}'],
    ['{"stringValue":""}', '{"stringValue":""}'],
    [
      '{"stringValue":"\\u0000\\u001f\\"\\\\\\/\\b\\f\\n\\r\\t"}',
      '{"stringValue":"\\u0000\\u001f\\"\\\\/\\b\\f\\n\\r\\t"}',
    ],
    [
      '{"stringValue":"\\u00fc\\u6f22\\ud83d\\ude00\\uFFFF"}',
      '{"stringValue":"\u00fc\u6f22\ud83d\ude00\uffff"}',
    ],
    [
      '{"stringValue":"\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}"}',
      '{"stringValue":"\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}"}',
    ],
    ['{"bytesValue":""}', '{"bytesValue":""}'],
    ['{"bytesValue":"AP8="}', '{"bytesValue":"AP8="}'],
    ['{"bytesValue":"AP8"}', '{"bytesValue":"AP8="}'],
    ['{"bytesValue":"AA"}', '{"bytesValue":"AA=="}'],
    ['{"bytesValue":"+/-_"}', '{"bytesValue":"+/+/"}'],
    ['{"bytesValue":"\\/\\u002F8="}', '{"bytesValue":"//8="}'],
    [
      '{"kvlistValue":{"values":[{"key":"a","value":{}}]}}',
      '{"kvlistValue":{"values":[{"key":"a","value":{}}]}}',
    ],
    ['{"arrayValue":{}}', '{"arrayValue":{}}'],
    ['{}', '{}'],
  ])('the reader reads %s', (json, value) => {
    expect(readAnyValue(json)).toBe(value);
  });

  it.each([
    '{"boolValue":"true"}',
    '{"boolValue":1}',
    '{"boolValue":tru}',
    '{"boolValue":falsy}',
    '{"stringValue":1}',
    '{"stringValue":{}}',
    '{"stringValue":["a"]}',
    '{"bytesValue":"A"}',
    '{"bytesValue":"AAAAA"}',
    '{"bytesValue":"AA="}',
    '{"bytesValue":"AA==="}',
    '{"bytesValue":"A==="}',
    '{"bytesValue":"="}',
    '{"bytesValue":"=AAA"}',
    '{"bytesValue":"AA=A"}',
    '{"bytesValue":"AA A"}',
    '{"bytesValue":"AA\\nA"}',
    '{"bytesValue":"A\u00fcA"}',
    '{"bytesValue":[0]}',
    '{"arrayValue":[]}',
    '{"arrayValue":{"values":{}}}',
    '{"arrayValue":{"values":[1]}}',
    '{"kvlistValue":{"values":[[]]}}',
    '[]',
    '"a"',
  ])('the reader refuses %s', (json) => {
    expect(spans(attribute(json))).toThrow(InvalidExport);
  });
});
