import { describe, expect, it } from 'vitest';
import { InvalidExport } from '../src/export/check-export.ts';
import type { SignalName } from '../src/model/signals.ts';
import { attribute, bodyOfSpan, jsonToExport, otlpJson, readBack, readSpan } from './json-input-reader.ts';

const spans = (members: string) => (): unknown => jsonToExport('traces', Buffer.from(bodyOfSpan(members)));
const body =
  (bytes: string | Uint8Array, signal: SignalName = 'traces') =>
  (): unknown =>
    jsonToExport(signal, Buffer.from(bytes));
const TRACE = '5B8EFFF798038103D269B633813FC60C';
const _SPAN = 'eee19b7ec3c1b174';

describe('documents', () => {
  it.each([
    '{}',
    ' {} ',
    '\t\r\n{ \n}\n',
    '{"resourceSpans":[]}',
    '{"resourceSpans":[ ]}',
    '{"resourceSpans":null}',
    '{"resource_spans":[{}]}',
    '{"unknown":[1,{"a":[]},"b",null,true,false,-1.5e+3,{}]}',
    '{"resourceMetrics":[{"scopeMetrics":1}]}',
    '{"__proto__":{"resourceSpans":[{}]},"constructor":1}',
  ])('the reader reads %j as an empty request', (json) => {
    expect(jsonToExport('traces', Buffer.from(json))).toHaveLength(0);
  });

  it.each([
    ['', 0, 'unexpected end: expected an object'],
    ['  ', 2, 'unexpected end: expected an object'],
    ['null', 0, 'expected an object'],
    ['[]', 0, 'expected an object'],
    ['"{}"', 0, 'expected an object'],
    ['{} {}', 3, 'text after the document'],
    ['{}\u0000', 2, 'text after the document'],
    ['{},', 2, 'text after the document'],
    ['\ufeff{}', 0, 'byte order mark, or other text, before the document'],
    ['{', 1, 'unexpected end: expected a key in double quotes'],
    ['{,}', 1, 'expected a key in double quotes'],
    ['{"a":1,}', 7, 'expected a key in double quotes'],
    ["{'a':1}", 1, 'expected a key in double quotes'],
    ['{a:1}', 1, 'expected a key in double quotes'],
    ['{1:1}', 1, 'expected a key in double quotes'],
    ['{"a" 1}', 5, 'expected ":"'],
    ['{"a":}', 5, 'expected a JSON value'],
    ['{"a":1 "b":2}', 7, 'expected "," or "}"'],
    ['{"a":[1,]}', 8, 'expected a JSON value'],
    ['{"a":[1 2]}', 8, 'expected "," or "]"'],
    ['{"a":[1}', 7, 'expected "," or "]"'],
    ['{"a":{"b":1]}', 11, 'expected "," or "}"'],
    ['{"a":[,1]}', 6, 'expected a JSON value'],
    ['{"a":NaN}', 5, 'expected a JSON value'],
    ['{"a":Infinity}', 5, 'expected a JSON value'],
    ['{"a":-Infinity}', 5, 'expected a JSON value'],
    ['{"a":undefined}', 5, 'expected a JSON value'],
    ['{"a":nul}', 5, 'expected a JSON value'],
    ['{"a":True}', 5, 'expected a JSON value'],
    ['{"a":truee}', 9, 'expected "," or "}"'],
    ['{"a":01}', 5, 'expected a JSON value'],
    ['{"a":+1}', 5, 'expected a JSON value'],
    ['{"a":.5}', 5, 'expected a JSON value'],
    ['{"a":1.}', 5, 'expected a JSON value'],
    ['{"a":1e}', 5, 'expected a JSON value'],
    ['{"a":1e+}', 5, 'expected a JSON value'],
    ['{"a":-}', 5, 'expected a JSON value'],
    ['{"a":0x1}', 6, 'expected "," or "}"'],
    ['{"a":/**/1}', 5, 'expected a JSON value'],
    ['{"a":1}//', 7, 'text after the document'],
    ['{\u00a0"a":1}', 1, 'expected a key in double quotes'],
    ['{\f"a":1}', 1, 'expected a key in double quotes'],
    ['{"a":"\t"}', 6, 'control character in a string'],
    ['{"a":"\u0000"}', 6, 'control character in a string'],
    ['{"a\n":1}', 3, 'control character in a string'],
    ['{"a":"b', 7, 'unexpected end: string without end'],
    ['{"a":"\\', 6, 'unknown escape'],
    ['{"a":"\\x"}', 6, 'unknown escape'],
    ['{"a":"\\u00g0"}', 6, 'escape without four hexadecimal digits'],
    ['{"a":"\\u12', 6, 'escape without four hexadecimal digits'],
    ['{"a":"\\ud800"}', 6, 'surrogate without its other half'],
    ['{"a":"\\ud800\\n"}', 6, 'surrogate without its other half'],
    ['{"a":"\\ud800\\ud800"}', 6, 'surrogate without its other half'],
    ['{"a":"\\udc00\\ud800"}', 6, 'surrogate without its other half'],
  ])('the reader refuses %j at byte %i', (json, at, reason) => {
    expect(body(json)).toThrow(
      new RegExp(`^Invalid OTLP/JSON at byte ${at}( \\(".*"\\))?: ${literally(reason)}$`),
    );
    expect(body(json)).toThrow(InvalidExport);
  });

  it.each([
    ['a continuation alone', [0x80]],
    ['a start alone', [0xc3]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong slash of three bytes', [0xe0, 0x80, 0xaf]],
    ['an overlong slash of four bytes', [0xf0, 0x80, 0x80, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['three bytes of four', [0xf0, 0x9f, 0x98]],
    ['a character beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
    ['a byte that no UTF-8 has', [0xff]],
  ])('the reader refuses %s in keys, in values, and where they are ignored', (_, bytes) => {
    const text = Buffer.from(bytes).toString('latin1');
    for (const json of [
      `{"${text}":1}`,
      `{"a":"${text}"}`,
      bodyOfSpan(`"name":"${text}"`),
      `{"a":{"${text}":1}}`,
    ]) {
      expect(body(Buffer.from(json, 'latin1'))).toThrow('invalid UTF-8');
    }
  });

  it('the reader refuses UTF-16', () => {
    expect(body(Buffer.from('{}', 'utf16le'))).toThrow(InvalidExport);
    expect(body(Buffer.from('\ufeff{}', 'utf16le'))).toThrow(InvalidExport);
  });

  it('the reader replaces half of a surrogate pair with U+FFFD without strictText', () => {
    const cut = Buffer.from(
      bodyOfSpan(String.raw`"name":"a\ud83d","traceState":"\udc00\ud83d\ude00\ud800\n"`),
    );
    const written = otlpJson('traces', jsonToExport('traces', cut, { strictText: false }));
    expect(written).toContain(
      String.raw`"traceState":"\ufffd😀\ufffd\n","name":"a\ufffd"`.replaceAll('\\ufffd', '\ufffd'),
    );
  });

  it('the reader refuses a body that is cut off anywhere', () => {
    const members = `"traceId":"${TRACE}","name":"gr\u00fc\\u00fcn","flags":257,"kind":2,"x":[1.5e3,true,{"y":null}],${attribute('{"doubleValue":-0.5}')}`;
    const whole = Buffer.from(bodyOfSpan(members));
    for (let size = 0; size < whole.length; size++) {
      expect(body(whole.subarray(0, size)), `${size} bytes`).toThrow(InvalidExport);
    }
  });

  it('the reader accepts white space wherever JSON has it', () => {
    const json =
      '{ "resourceSpans" : [ { "scopeSpans"\t:\n[ { "spans" :\r\n[ { "kind" : 2 , "name" : "a" } , { } ] } ] } ] }';
    expect(readBack('traces', json)).toEqual({
      resourceSpans: [{ scopeSpans: [{ spans: [{ kind: 2, name: 'a' }, {}] }] }],
    });
  });

  it('the reader says where in the document the fault is', () => {
    const two = '{"resourceSpans":[{},{"scopeSpans":[{"a/b~c":[0,{"x":[[],"y",z]}]}]}]}';
    expect(body(two)).toThrow(
      'Invalid OTLP/JSON at byte 61 ("/resourceSpans/1/scopeSpans/0/a~1b~0c/1/x/2"): expected a JSON value',
    );
  });

  it('the reader does not repeat what it was sent, but for names of fields cut to 80 characters', () => {
    expect(body(`{"${'k'.repeat(100)}":[s3cret]}`)).toThrow(
      `Invalid OTLP/JSON at byte 105 ("/${'k'.repeat(80)}…/0"): expected a JSON value`,
    );
  });

  it('the reader reads the next body after one that was refused', () => {
    expect(
      spans('"attributes":[{"value":{"arrayValue":{"values":[{"kvlistValue":{"values":[1]}}]}}}]'),
    ).toThrow('expected an object');
    expect(readSpan('"name":"a"')).toEqual({ name: 'a' });
  });

  it('the reader does not change its input', () => {
    const json = Buffer.from(bodyOfSpan(`"\\u006eame" : "a","traceId":"\\u0035${TRACE.slice(1)}"`));
    const before = Buffer.from(json);
    jsonToExport('traces', json);
    expect(json).toEqual(before);
  });
});

describe('names', () => {
  it('the reader ignores fields in snake case, and unknown ones', () => {
    const json = `"trace_id":"x","start_time_unix_nano":{},"Name":1,"nam":2,"names":3,"":4,"name":"a","schemaUrl":"u"`;
    expect(readSpan(json)).toEqual({ name: 'a' });
  });

  it('the reader knows names that are written with escapes', () => {
    expect(
      readSpan(`"\\u006e\\u0061me":"a","trace\\u0049d" : "${TRACE}","\\"name":1,"name\\u0000":2`),
    ).toEqual({
      name: 'a',
      traceId: TRACE.toLowerCase(),
    });
  });

  it('the reader ignores fields that third parties add', () => {
    const json =
      '{"resourceLogs":[{"resource":{"attributes":[],"schemaUrl":"https://schema/1"},"schemaUrl":"u"}]}';
    expect(readBack('logs', json)).toEqual({ resourceLogs: [{ resource: {}, schemaUrl: 'u' }] });
  });

  it('the reader keeps attributes whose keys are special in JavaScript', () => {
    const keys = ['__proto__', 'constructor', 'toString', '', 'x'.repeat(1000), 'k', 'k'];
    const attributes = keys.map((key) => ({ key, value: { stringValue: '1' } }));
    const read = readSpan(`"attributes":${JSON.stringify(attributes)}`) as { attributes: { key?: string }[] };
    expect(read.attributes.map(({ key = '' }) => key)).toEqual(keys);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

function literally(text: string): string {
  return text.replaceAll(/[[\]{}().*+?]/g, '\\$&');
}
