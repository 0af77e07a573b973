import { type FileRegistry, fromBinary, type JsonValue, toJson } from '@bufbuild/protobuf';
import { isConnectorError } from '@levada/connect-runtime-core';
import { testDescriptor } from '@levada/test-peers/grpc';
import { beforeAll, describe, expect, it } from 'vitest';
import { findMethod } from '../descriptor/find-method.ts';
import { readDescriptor } from '../descriptor/read-descriptor.ts';
import { encodeRequest, requestWithResume, resumeFieldProblem } from './request-message.ts';

let registry: FileRegistry;
beforeAll(() => {
  registry = readDescriptor(Buffer.from(testDescriptor()).toString('base64'));
});
const watch = () => findMethod(registry, 'teststream.RichService', 'Watch');
const follow = () => findMethod(registry, 'teststream.legacy.LegacyService', 'Follow');

/** The request as the server decodes it. */
function received(bytes: Uint8Array, method = watch()): JsonValue {
  return toJson(method.input, fromBinary(method.input, bytes), { registry });
}

function messageOf(encode: () => unknown): string {
  try {
    encode();
  } catch (thrown) {
    if (isConnectorError(thrown)) return `${thrown.issues[0]?.key} | ${thrown.message}`;
    throw thrown;
  }
  throw new Error('was encoded');
}

describe('a request', () => {
  it.each<[string, JsonValue]>([
    ['{}', {}],
    ['{"filter":"a ä 🦆"}', { filter: 'a ä 🦆' }],
    [
      '{"include_all":true,"fromSequence":"18446744073709551615"}',
      { includeAll: true, fromSequence: '18446744073709551615' },
    ],
    ['{"from_sequence":5,"page":"-3","shard":7}', { fromSequence: '5', page: -3, shard: 7 }],
    ['{"severity":"SEVERITY_HIGH"}', { severity: 'SEVERITY_HIGH' }],
    ['{"severity":1}', { severity: 'SEVERITY_LOW' }],
    ['{"ratio":"NaN"}', { ratio: 'NaN' }],
    ['{"rawCursor":"+/8="}', { rawCursor: '+/8=' }],
    ['{"places":{"__proto__":{"country":"x"}}}', JSON.parse('{"places":{"__proto__":{"country":"x"}}}')],
    ['{"since":"2001-02-03T04:05:06.789Z"}', { since: '2001-02-03T04:05:06.789Z' }],
    ['{"afterId":"x","afterSequence":"0","note":""}', { afterId: 'x', afterSequence: '0', note: '' }],
    ['{"options":{"a":[1,null,{"b":true}]}}', { options: { a: [1, null, { b: true }] } }],
    [
      '{"detail":{"@type":"type.googleapis.com/teststream.Place","country":"x"}}',
      { detail: { '@type': 'type.googleapis.com/teststream.Place', country: 'x' } },
    ],
    ['{"filter":null}', {}],
  ])('is encoded from %s', (json, expected) => {
    expect(received(encodeRequest(watch(), json, registry))).toEqual(expected);
  });

  it('may have extensions', () => {
    const json = '{"filter":"x","[teststream.legacy.resume_after]":"5"}';
    const message = fromBinary(follow().input, encodeRequest(follow(), json, registry));
    expect(toJson(follow().input, message, { registry })).toEqual(JSON.parse(json));
  });

  it.each([
    ['{', 'String must be valid JSON'],
    ['[]', 'Request must be a JSON object'],
    [
      '{"fromSequence":9007199254740993}',
      'Integers beyond 2^53 lose digits as JSON numbers, write them as text',
    ],
    ['{"filter":1}', 'filter: expected text'],
    ['{"filter":["SECRET"]}', 'filter: expected text'],
    ['{"filtr":"SECRET"}', 'filtr: unknown field of teststream.WatchRequest, did you mean "filter"?'],
    ['{"__proto__":{"a":1}}', '__proto__: unknown field of teststream.WatchRequest'],
    ['{"a b":1}', '["a b"]: unknown field of teststream.WatchRequest'],
    ['{"places":[]}', 'places: expected an object'],
    ['{"places":{"a":{"latitude":"SECRET"}}}', 'places["a"].latitude: expected a number'],
    [
      '{"places":{"a":{},"b c":{"lattitude":1}}}',
      'places["b c"].lattitude: unknown field of teststream.Place, did you mean "latitude"?',
    ],
    ['{"tags":"a"}', 'tags: expected an array'],
    ['{"tags":["a",2]}', 'tags[1]: expected text'],
    ['{"tags":["a",null]}', 'tags[1]: expected text'],
    ['{"route":[{},{"country":2}]}', 'route[1].country: expected text'],
    ['{"severity":"SECRET"}', 'severity: expected a value of teststream.Severity'],
    ['{"since":"yesterday"}', 'since: expected a time such as "2001-02-03T04:05:06.789Z"'],
    ['{"options":5}', 'options: expected an object'],
    ['{"detail":5}', 'detail: expected an object with "@type", the URL of a type in the descriptor'],
    [
      '{"detail":{"@type":"x/y.Z"}}',
      'detail: expected an object with "@type", the URL of a type in the descriptor',
    ],
    ['{"detail":{"@type":"x/teststream.Place","country":5}}', 'detail.country: expected text'],
    [
      '{"detail":{"@type":"x/google.protobuf.Duration","value":5}}',
      'detail.value: expected a duration such as "1.5s"',
    ],
    [
      '{"cursor":{},"fromSequence":"1"}',
      'two fields of one oneof are set, or one field by both of its names',
    ],
    [
      '{"includeAll":true,"include_all":true}',
      'two fields of one oneof are set, or one field by both of its names',
    ],
    ['{"filter":"a","filter":"b"}', 'an object has the same field twice'],
    ['{"includeAll":"true"}', 'includeAll: expected true or false'],
    ['{"after_id":5}', 'after_id: expected text'],
    ['{"page":1.5}', 'page: expected a 32-bit integer'],
    ['{"page":2147483648}', 'page: expected a 32-bit integer'],
    ['{"shard":-1}', 'shard: expected an unsigned 32-bit integer'],
    ['{"fromSequence":1.5}', 'fromSequence: expected an unsigned 64-bit integer'],
    ['{"cursor":{"sequence":"9223372036854775808"}}', 'cursor.sequence: expected a 64-bit integer'],
    ['{"rawCursor":"*"}', 'rawCursor: expected bytes in base64'],
    ['{"filter":"\\ud800"}', 'filter: expected text'],
  ])('is refused with the place, without a value: %s', (json, problem) => {
    const message = messageOf(() => encodeRequest(watch(), json, registry));
    expect(message).toBe(`grpc.request.message | grpc.request.message: ${problem}`);
    expect(message).not.toContain('SECRET');
  });

  it('is refused when it is nested 200 deep', () => {
    const json = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
    expect(() => encodeRequest(watch(), json, registry)).toThrow(
      'Request is nested more than 100 levels deep',
    );
  });

  it.each([
    ['{}', /LegacyRequest\.filter to binary: required field not set$/],
    ['{"filter":"x","[teststream.legacy.resume_after]":"x"}', /not the JSON of that extension$/],
    [
      '{"filter":"x","[teststream.legacy.nothing]":"x"}',
      /unknown field of teststream\.legacy\.LegacyRequest$/,
    ],
  ])('of proto2 is refused: %s', (json, problem) => {
    expect(messageOf(() => encodeRequest(follow(), json, registry))).toMatch(problem);
  });
});

describe('where a request resumes', () => {
  it.each<[string, string | number, string, JsonValue]>([
    ['filter', 5, '{}', { filter: '5' }],
    ['filter', 'b', '{"filter":"a","tags":["t"]}', { filter: 'b', tags: ['t'] }],
    [
      'cursor.sequence',
      '9007199254740993',
      '{"cursor":{"token":"t"}}',
      { cursor: { token: 't', sequence: '9007199254740993' } },
    ],
    ['cursor.sequence', 7, '{}', { cursor: { sequence: '7' } }],
    ['cursor.token', 't', '{"fromSequence":1}', { cursor: { token: 't' } }],
    ['cursor.opaque', '-_8', '{}', { cursor: { opaque: '+/8=' } }],
    ['rawCursor', '+/8=', '{}', { rawCursor: '+/8=' }],
    [
      'from_sequence',
      Number.MAX_SAFE_INTEGER,
      '{"cursor":{"token":"t"}}',
      { fromSequence: '9007199254740991' },
    ],
    ['fromSequence', '18446744073709551615', '{}', { fromSequence: '18446744073709551615' }],
    ['page', -3, '{}', { page: -3 }],
    ['page', '-3', '{"page":1}', { page: -3 }],
    ['shard', '4294967295', '{}', { shard: 4294967295 }],
    ['ratio', '1.5', '{}', { ratio: 1.5 }],
    ['note', '', '{}', { note: '' }],
    ['after_id', 'x', '{"afterId":"a"}', { afterId: 'x' }],
    ['afterSequence', 7, '{}', { afterSequence: '7' }],
    ['since', '2001-02-03T04:05:06Z', '{}', { since: '2001-02-03T04:05:06Z' }],
  ])('is set in %s to %j', (field, value, json, expected) => {
    expect(resumeFieldProblem(watch(), field)).toBeUndefined();
    expect(received(requestWithResume(watch(), json, { registry, field, value }))).toEqual(expected);
  });

  it.each([
    ['filter.x', 'filter.x: filter has no fields'],
    ['since.seconds', 'since.seconds: since has no fields'],
    ['cursor', 'cursor: a single text, number, bytes, Timestamp or wrapper of those is expected'],
    ['tags', 'tags: a single text'],
    ['places', 'places: a single text'],
    ['places.a', 'places.a: places has no fields'],
    ['severity', 'severity: a single text'],
    ['includeAll', 'includeAll: a single text'],
    ['detail', 'detail: a single text'],
    [
      'cursor.sequnce',
      'cursor.sequnce: unknown field of teststream.WatchRequest.Cursor, did you mean "sequence"?',
    ],
    ['', ': unknown field of teststream.WatchRequest'],
    ['cursor.', 'cursor.: unknown field of teststream.WatchRequest.Cursor'],
    ['__proto__', '__proto__: unknown field of teststream.WatchRequest'],
    ['constructor', 'constructor: unknown field of teststream.WatchRequest'],
  ])('is not %j', (field, problem) => {
    const text = `grpc.request.resume.field: ${problem}`;
    expect(resumeFieldProblem(watch(), field)?.slice(0, text.length)).toBe(text);
    expect(messageOf(() => requestWithResume(watch(), '{}', { registry, field, value: 1 }))).toContain(text);
  });

  it.each([
    ['page', 'SECRET', 'page: expected a 32-bit integer'],
    ['page', '2147483648', 'page: expected a 32-bit integer'],
    ['from_sequence', -1, 'from_sequence: expected an unsigned 64-bit integer'],
    ['cursor.sequence', '1.5', 'cursor.sequence: expected a 64-bit integer'],
    ['rawCursor', 'SECRET!', 'rawCursor: expected bytes in base64'],
    ['afterSequence', 'SECRET', 'afterSequence: expected a 64-bit integer'],
    ['since', 'SECRET', 'since: expected a time such as "2001-02-03T04:05:06.789Z"'],
  ])('is refused when %s is to be %j', (field, value, problem) => {
    const message = messageOf(() => requestWithResume(watch(), '{}', { registry, field, value }));
    expect(message).toBe(`grpc.request.resume.field | grpc.request.resume.field: ${problem}`);
  });
});
