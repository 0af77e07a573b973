import { describe, expect, it } from 'vitest';
import { readConfig, readCreateRequest, readLevel, readOffsetChanges } from './read-body.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('readCreateRequest', () => {
  it('trims the name, and keeps numbers as they were written', () => {
    const request = readCreateRequest(
      bytes('{"name":" a ","config":{"tasks.max":1,"x":1.50,"on":true,"n":null}}'),
    );
    expect(request).toEqual({
      name: 'a',
      config: { 'tasks.max': '1', x: '1.50', on: 'true', n: null },
      initialState: undefined,
    });
  });

  it.each([
    ['running', 'STARTED'],
    ['PAUSED', 'PAUSED'],
    ['Stopped', 'STOPPED'],
  ])('takes initial_state %s as %s', (text, state) => {
    expect(readCreateRequest(bytes(`{"name":"a","config":{},"initial_state":"${text}"}`)).initialState).toBe(
      state,
    );
  });

  it.each([
    ['null', 'request body must be a JSON object, found null'],
    ['[]', 'request body must be a JSON object, found array'],
    ['"x"', 'request body must be a JSON object, found string'],
    ['1', 'request body must be a JSON object, found number'],
    ['{}', '"config" is missing, expected an object'],
    ['{"config":[]}', '"config" must be an object, found array'],
    ['{"name":{},"config":{}}', '"name" must be a string, found object'],
    ['{"config":{"a":{"b":1}}}', '"config.a" must be a string, found object'],
    ['{"config":{"a":[1]}}', '"config.a" must be a string, found array'],
    ['{"config":{},"x":1}', '"x" is not a field of this request'],
    [
      '{"config":{},"initial_state":"ON"}',
      '"initial_state" is "ON", expected one of RUNNING, PAUSED, STOPPED',
    ],
  ])('refuses %s', (text, message) => {
    expect(() => readCreateRequest(bytes(text))).toThrow(message);
  });
});

describe('readConfig', () => {
  it('holds prototype names as plain keys', () => {
    const config = readConfig(bytes('{"__proto__":"a","toString":"b"}'));
    expect(Object.entries(config)).toEqual([
      ['__proto__', 'a'],
      ['toString', 'b'],
    ]);
    expect(Object.getPrototypeOf(config)).toBe(Object.prototype);
  });
});

describe('readOffsetChanges', () => {
  it('reads partitions and offsets, null included', () => {
    const text =
      '{"offsets":[{"partition":{"f":"a"},"offset":{"position":12}},{"partition":{"f":"b"},"offset":null}]}';
    expect(readOffsetChanges(bytes(text))).toEqual([
      { partition: { f: 'a' }, offset: { position: 12 } },
      { partition: { f: 'b' }, offset: null },
    ]);
  });

  it.each(['{}', '{"offsets":[]}', '{"offsets":null}'])('finds nothing in %s', (text) => {
    expect(readOffsetChanges(bytes(text))).toEqual([]);
  });

  it.each([
    ['[]', 'must be a JSON object'],
    ['{"key":[]}', '"key" is not a field'],
    ['{"offsets":{}}', '"offsets" must be an array, found object'],
    ['{"offsets":[123]}', '"offsets[0]" must be an object, found number'],
    ['{"offsets":[{"key":"val"}]}', '"offsets[0].key" is not a field'],
    ['{"offsets":[{"partition":{"a":[1]}}]}', '"offsets[0].partition.a" must be'],
    ['{"offsets":[{"offset":{"p":9007199254740993}}]}', 'outside the range of exact numbers'],
  ])('refuses %s', (text, message) => {
    expect(() => readOffsetChanges(bytes(text))).toThrow(message);
  });
});

describe('readLevel', () => {
  it('says what Connect says when there is no level', () => {
    expect(() => readLevel(bytes('{}'))).toThrow("Desired 'level' parameter was not specified in request.");
  });
});
