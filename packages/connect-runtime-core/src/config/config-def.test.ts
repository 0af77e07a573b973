import { describe, expect, expectTypeOf, it } from 'vitest';
import { reconnectKeys } from '../source-kit/reconnect-keys.ts';
import { type ConfigDef, configDef } from './config-def.ts';
import type { ConfigKey, RawConfig } from './config-key.ts';
import type { Secret } from './secret.ts';
import { allOf, atLeast, between, nonEmpty, oneOf, withMessage } from './validators.ts';

const row = { importance: 'low', documentation: 'A key.' } as const;

const def = configDef([
  { ...row, name: 'url', type: 'string', validator: nonEmpty, option: 'url', aliases: ['old.url'] },
  {
    ...row,
    name: 'token',
    type: 'password',
    default: null,
    option: 'token',
    validator: withMessage('Token is too short', atLeastLong(4)),
  },
  { ...row, name: 'size', type: 'int', default: 10, option: 'size', validator: atLeast(1) },
  { ...row, name: 'ratio', type: 'double', default: 1 },
  { ...row, name: 'limit', type: 'long', default: -1, option: 'limit' },
  { ...row, name: 'short', type: 'short', default: 0 },
  { ...row, name: 'on', type: 'boolean', default: true, option: 'on' },
  { ...row, name: 'tags', type: 'list', default: ['a', 'b'], option: 'tags' },
  { ...row, name: 'mode', type: 'string', default: 'text', validator: oneOf('text', 'json') },
  { ...row, name: 'headers.', type: 'string', prefix: true, secret: true, option: 'headers' },
]);

function atLeastLong(length: number) {
  return {
    allowed: 'long enough',
    check: (value: unknown) =>
      value !== null && (value as Secret).reveal().length < length ? 'too short' : undefined,
  };
}

function one(key: string, raw: RawConfig) {
  return def.validate(raw).find((value) => value.name === key);
}

/** The error thrown by a call, for a look at all of it. */
function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe('ConfigDef.validate', () => {
  it.each<[string, string, string | null, readonly string[]]>([
    ['size', '7', '7', []],
    ['size', ' +007 ', '7', []],
    ['size', 'many', null, ['Not a number of type INT', 'Value must be non-null']],
    ['size', '1.0', null, ['Not a number of type INT', 'Value must be non-null']],
    ['size', '1e0', null, ['Not a number of type INT', 'Value must be non-null']],
    ['size', '0x10', null, ['Not a number of type INT', 'Value must be non-null']],
    ['size', '', null, ['Not a number of type INT', 'Value must be non-null']],
    ['size', '2147483648', null, ['Not a number of type INT', 'Value must be non-null']],
    ['size', '0', '0', ['Value must be at least 1']],
    ['short', '-32769', null, ['Not a number of type SHORT']],
    ['limit', '9223372036854775807', '9223372036854775807', []],
    ['limit', '9223372036854775808', null, ['Not a number of type LONG']],
    ['limit', '1'.repeat(1000), null, ['Not a number of type LONG']],
    ['ratio', '.5', '0.5', []],
    ['ratio', '2', '2.0', []],
    ['ratio', '0x10', null, ['Not a number of type DOUBLE']],
    ['on', 'TRUE', 'true', []],
    ['on', 'yes', null, ['Expected value to be either true or false']],
    ['on', '1', null, ['Expected value to be either true or false']],
    ['tags', ' x , y,,z ', 'x,y,,z', []],
    ['tags', ' ', '', []],
    ['mode', 'xml', 'xml', ['String must be one of: text, json']],
    ['url', ' ws://h\n', 'ws://h', []],
  ])('reads %s=%j as Kafka does', (key, text, value, problems) => {
    const found = one(key, { url: 'ws://h', [key]: text });
    expect(found?.value).toBe(value);
    // A value that could not be parsed is null for the validator, and the parser's message shows the text as given.
    const messages = problems.map((problem, index) => {
      const shown = value === null && index === 0 ? text : String(value);
      return `Invalid value ${shown} for configuration ${key}: ${problem}`;
    });
    expect(found?.errors).toEqual(messages);
  });

  it('answers one value per row in order, defaults filled in and secrets masked', () => {
    const values = def.validate({ url: 'ws://h', token: 'hunter2', 'headers.X-Key': 'hunter3' });
    expect(values.map((value) => [value.name, value.value])).toEqual([
      ['url', 'ws://h'],
      ['token', '[hidden]'],
      ['size', '10'],
      ['ratio', '1.0'],
      ['limit', '-1'],
      ['short', '0'],
      ['on', 'true'],
      ['tags', 'a,b'],
      ['mode', 'text'],
      ['headers.X-Key', '[hidden]'],
    ]);
    expect(JSON.stringify(values)).not.toMatch(/hunter/);
  });

  it('reports a required key without a value', () => {
    expect(one('url', {})).toEqual({
      name: 'url',
      value: null,
      recommendedValues: [],
      errors: ['Missing required configuration "url" which has no default value.'],
      visible: true,
    });
  });

  it('reports a required key with a range twice when it is missing, as Kafka does', () => {
    const required = configDef([{ ...row, name: 'port', type: 'int', validator: between(1, 65535) }]);
    expect(required.validate({})[0]?.errors).toEqual([
      'Missing required configuration "port" which has no default value.',
      'Invalid value null for configuration port: Value must be non-null',
    ]);
    expect(required.validate({ port: '65536' })[0]?.errors).toEqual([
      'Invalid value 65536 for configuration port: Value must be no more than 65535',
    ]);
  });

  it('reports a null as an error, whatever the key', () => {
    const raw = { url: null, size: null, 'headers.a': null };
    const errors = def
      .validate(raw)
      .map((value) => value.errors)
      .filter((each) => each.length > 0);
    expect(errors).toEqual([
      ['Null value can not be supplied as the configuration value.'],
      [
        'Invalid value null for configuration size: Value must be non-null',
        'Null value can not be supplied as the configuration value.',
      ],
      ['Null value can not be supplied as the configuration value.'],
    ]);
  });

  it('never shows a secret in a message', () => {
    const secrets = configDef([
      { ...row, name: 'a', type: 'int', default: 1, secret: true },
      {
        ...row,
        name: 'b',
        type: 'password',
        default: null,
        validator: { allowed: '', check: () => 'is bad' },
      },
      { ...row, name: 'c', type: 'string', default: '', secret: true, validator: oneOf('x') },
    ]);
    const values = secrets.validate({ a: 'hunter1', b: 'hunter2', c: 'hunter3' });
    expect(values.map((value) => value.errors)).toEqual([
      ['Invalid value [hidden] for configuration a: Not a number of type INT'],
      ['Invalid value [hidden] for configuration b: is bad'],
      ['Invalid value [hidden] for configuration c: String must be one of: x'],
    ]);
  });

  it('shows lists in messages in brackets, as Java does', () => {
    const lists = configDef([
      { ...row, name: 'l', type: 'list', default: [], validator: { allowed: '', check: () => 'no' } },
    ]);
    expect(lists.validate({ l: 'a,b' })[0]?.errors).toEqual(['Invalid value [a, b] for configuration l: no']);
  });

  it('uses a message to the letter where the row spells it out, and the first broken rule of several', () => {
    const several = configDef([
      {
        ...row,
        name: 'port',
        type: 'int',
        default: 0,
        validator: allOf(atLeast(0), withMessage('Invalid port number', between(1, 65535))),
      },
    ]);
    expect(several.validate({ port: '0' })[0]?.errors).toEqual(['Invalid port number']);
    expect(several.validate({ port: '-1' })[0]?.errors).toEqual([
      'Invalid value -1 for configuration port: Value must be at least 0',
    ]);
  });

  it('answers recommended values and visibility from the rest of the configuration', () => {
    const dependent = configDef([
      {
        ...row,
        name: 'tls.ca',
        type: 'string',
        default: null,
        visible: (raw) => raw['tls'] === 'true',
        recommend: () => ['system'],
      },
    ]);
    expect(dependent.validate({})[0]).toMatchObject({ visible: false, recommendedValues: ['system'] });
    expect(dependent.validate({ tls: 'true' })[0]?.visible).toBe(true);
  });

  it('is not led astray by harmful names', () => {
    const raw: RawConfig = JSON.parse(
      '{"url":"ws://h","__proto__":"x","constructor":"y","headers.__proto__":"z"}',
    );
    expect(def.validate(raw).flatMap((value) => value.errors)).toEqual([]);
    expect([...def.parse(raw)['headers.']]).toEqual([['__proto__', 'z']]);
    expect(def.find('__proto__')).toBeUndefined();
    expect(def.find('toString')).toBeUndefined();
  });
});

describe('ConfigDef.parse', () => {
  it('gives each value its type, which follows from the row', () => {
    const parsed = def.parse({ url: 'ws://h', token: 'hunter2', tags: 'x', 'headers.A': 'b' });
    expect(parsed.url).toBe('ws://h');
    expect(parsed.token?.reveal()).toBe('hunter2');
    expect(parsed.size).toBe(10);
    expect(parsed.tags).toEqual(['x']);
    expect(parsed['headers.'].get('A')).toBe('b');
    expectTypeOf(parsed).toEqualTypeOf<{
      readonly url: string;
      readonly token: Secret | null;
      readonly size: number;
      readonly ratio: number;
      readonly limit: number;
      readonly short: number;
      readonly on: boolean;
      readonly tags: readonly string[];
      readonly mode: string;
      readonly 'headers.': ReadonlyMap<string, string>;
    }>();
  });

  it('reports all problems in one error, which begins as the first problem reads', () => {
    const error = thrownBy(() => def.parse({ size: '0', token: 'abc' }));
    expect(error).toMatchObject({
      code: 'config_invalid',
      issues: [
        { key: 'url', message: 'Missing required configuration "url" which has no default value.' },
        { key: 'token', message: 'Token is too short' },
        { key: 'size', message: 'Invalid value 0 for configuration size: Value must be at least 1' },
      ],
    });
    expect(String((error as Error).message)).toMatch(
      /^Missing required configuration "url".*\nToken is too short\n/,
    );
  });

  it('keeps what surrounds a text where the row says so', () => {
    const text = '\n frame \n\u0000';
    const exact = configDef([{ ...row, name: 'text', type: 'string', trim: false, option: 'text' }]);
    expect(exact.parse({ text })).toEqual({ text });
    expect(exact.validate({ text })[0]).toMatchObject({ value: text, errors: [] });
    expect(exact.parse(exact.fromOptions({ text }))).toEqual({ text });
    expect(def.parse({ url: text }).url).toBe('frame');
  });

  it('ignores keys that it does not know', () => {
    expect(def.parse({ url: 'ws://h', 'no.such.key': 'x' }).url).toBe('ws://h');
  });

  it('takes a key by another name, unless it is given by its own', () => {
    expect(def.parse({ 'old.url': 'ws://old' }).url).toBe('ws://old');
    expect(def.parse({ 'old.url': 'ws://old', url: 'ws://new' }).url).toBe('ws://new');
    expect(def.canonical({ 'old.url': 'ws://old', other: 'x' })).toEqual({ url: 'ws://old', other: 'x' });
    expect(def.find('old.url')?.name).toBe('url');
  });

  it('prints a secret as a mask, however it is printed', () => {
    const { token } = def.parse({ url: 'ws://h', token: 'hunter2' });
    expect([String(token), JSON.stringify({ token })]).toEqual(['[hidden]', '{"token":"[hidden]"}']);
  });
});

describe('ConfigDef.describe', () => {
  it("writes rows in Kafka Connect's words and leaves prefixes out", () => {
    const described = def.describe();
    expect(described.map((key) => key.name)).not.toContain('headers.');
    expect(described.find((key) => key.name === 'tags')).toEqual({
      name: 'tags',
      type: 'LIST',
      required: false,
      default_value: 'a,b',
      importance: 'LOW',
      documentation: 'A key.',
      group: null,
      width: 'NONE',
      display_name: 'tags',
      dependents: [],
      order: -1,
    });
    expect(described.find((key) => key.name === 'url')).toMatchObject({
      required: true,
      default_value: null,
    });
    expect(described.find((key) => key.name === 'ratio')?.default_value).toBe('1.0');
  });

  it('keeps the order of members that Kafka Connect 3.9 has', () => {
    expect(Object.keys(def.describe()[0] ?? {}).join()).toBe(
      'name,type,required,default_value,importance,documentation,group,width,display_name,dependents,order',
    );
  });
});

describe('ConfigDef.fromOptions', () => {
  it('writes options as the configuration that REST would take', () => {
    const raw = def.fromOptions({
      url: 'ws://h',
      size: 5,
      limit: Number.POSITIVE_INFINITY,
      on: false,
      tags: ['x', 'y'],
      headers: { A: 'b' },
      token: undefined,
    });
    expect(raw).toEqual({
      url: 'ws://h',
      size: '5',
      limit: '-1',
      on: 'false',
      tags: 'x,y',
      'headers.A': 'b',
    });
  });

  it('reports unknown and mistyped options all at once, with the nearest name', () => {
    const options = { urll: 'x', size: '5', tags: ['a,b'], headers: { A: 1 }, wholly: 1 };
    const error = thrownBy(() => def.fromOptions(options as never));
    expect(error).toMatchObject({
      code: 'config_invalid',
      issues: [
        { key: 'urll', message: 'urll is not an option, did you mean url?' },
        { key: 'size', message: 'size must be a number, got string' },
        { key: 'tags', message: 'tags must be a list of strings without commas, got list' },
        { key: 'headers', message: 'headers must be an object of strings, got object' },
        { key: 'wholly', message: 'wholly is not an option' },
      ],
    });
  });

  it('suggests the option of a key that is written in camel case, or as REST has it', () => {
    const receiver = configDef([
      { ...row, name: 'otlp.bind.address', type: 'string', default: 'x', option: 'address' },
      { ...row, name: 'otlp.reconnect.interval.ms', type: 'int', default: 1, option: 'reconnect.intervalMs' },
    ]);
    for (const [written, option] of [
      ['bindAddress', 'address'],
      ['otlp.bind.address', 'address'],
      ['otlpBindAddress', 'address'],
      ['reconnectIntervalMs', 'reconnect.intervalMs'],
    ] as const) {
      const said = `${written} is not an option, did you mean ${option}?`;
      expect(() => receiver.fromOptions({ [written]: 'y' } as never)).toThrow(said);
    }
  });

  it('requires the options of required keys and no others', () => {
    type Options = Parameters<typeof def.fromOptions>[0];
    expectTypeOf<{ url: string }>().toExtend<Options>();
    expectTypeOf<{ size: number }>().not.toExtend<Options>();
    expectTypeOf<{ url: string; size: string }>().not.toExtend<Options>();
  });
});

describe('configDef', () => {
  it('refuses two rows of the same name', () => {
    const rows: readonly ConfigKey[] = [
      { ...row, name: 'a', type: 'int' },
      { ...row, name: 'b', type: 'int', aliases: ['a'] },
    ];
    expect(() => configDef(rows)).toThrow('configuration key "a" is defined twice');
  });

  it('fits where any definition is asked for', () => {
    const anyDef: ConfigDef = configDef(reconnectKeys('websocket'));
    expect(anyDef.keys.map((key) => key.name)).toEqual([
      'websocket.reconnect.enabled',
      'websocket.reconnect.interval.ms',
      'websocket.reconnect.max.attempts',
      'websocket.reconnect.backoff.max.ms',
    ]);
  });
});
