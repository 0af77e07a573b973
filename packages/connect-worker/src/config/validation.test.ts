// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of configurations look like that
import { ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { configOf, runtimeHarness } from '../../test/runtime-harness.ts';
import { scriptedSource } from '../../test/scripted-connector.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';

const path = 'ArraySource';

function validate(config: RawConfig, overrides: Partial<ConnectRuntimeOptions> = {}) {
  return runtimeHarness(overrides).herder.validate(path, configOf('a', config));
}

/** The errors of a validation, by key. */
async function errors(config: RawConfig, overrides: Partial<ConnectRuntimeOptions> = {}) {
  const { configs } = await validate(config, overrides);
  const wrong = configs.filter(({ value }) => value.errors.length > 0);
  return Object.fromEntries(wrong.map(({ value }) => [value.name, value.errors]));
}

describe('validation', () => {
  it('answers the keys of every connector first, then its own, with groups in order', async () => {
    const { name, errorCount, groups, configs, warnings } = await validate({});
    expect({ name, errorCount, warnings }).toEqual({
      name: 'test.ArraySourceConnector',
      errorCount: 0,
      warnings: [],
    });
    expect(groups).toEqual([
      'Common',
      'Transforms',
      'Predicates',
      'Error Handling',
      'Topic Creation',
      'Exactly Once Support',
      'offsets.topic',
      'Array',
    ]);
    const names = configs.map(({ value }) => value.name);
    expect(names.slice(0, 3)).toEqual(['name', 'connector.class', 'tasks.max']);
    expect(names.slice(-6)).toEqual(['topic', 'file', 'label', 'room', 'feed.auth', 'endpoint']);
    expect(configs.find(({ value }) => value.name === 'topic')?.definition).toMatchObject({
      type: 'STRING',
      required: true,
      group: 'Array',
    });
  });

  it('finds all problems at once', async () => {
    const found = await errors({
      'tasks.max': 'abc',
      topic: '',
      'errors.tolerance': 'some',
      'value.converter': 'NoSuch',
      'producer.override.bootstrap.servers': 'x:1',
      transforms: 'a',
    });
    expect(found).toMatchObject({
      'tasks.max': [
        'Invalid value abc for configuration tasks.max: Not a number of type INT',
        'Invalid value null for configuration tasks.max: Value must be non-null',
      ],
      'errors.tolerance': [
        'Invalid value some for configuration errors.tolerance: String must be one of: none, all',
      ],
      'value.converter': [
        'Invalid value NoSuch for configuration value.converter: Class NoSuch could not be found.',
      ],
      'producer.override.bootstrap.servers': [
        "The 'Allowlist' policy does not allow 'bootstrap.servers' to be overridden in the connector configuration.",
      ],
    });
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['topic', 'transforms.a.type']));
  });

  it('shows keys without definition first, and only when something is wrong with them', async () => {
    const { configs } = await validate({
      'producer.override.acks': '1',
      'producer.override.ssl.protocol': 'PLAIN',
      other: 'x',
    });
    expect(configs[0]).toMatchObject({
      definition: null,
      value: { name: 'producer.override.ssl.protocol', errors: [expect.any(String)] },
    });
    expect(configs[1]?.value.name).toBe('name');
    expect(configs.some(({ value }) => value.name === 'other')).toBe(false);
  });

  it('shows the keys of a converter that the connector chooses, and its full class name', async () => {
    const { configs, groups } = await validate({
      'value.converter': 'Json',
      'value.converter.schemas.cache.size': '5',
      'value.converter.decimal.format': 'x',
    });
    expect(configs.find(({ value }) => value.name === 'value.converter')?.value.value).toBe(
      'org.apache.kafka.connect.json.JsonConverter',
    );
    expect(configs.slice(-5).map(({ value }) => [value.name, value.value])).toEqual([
      ['value.converter.decimal.format', 'x'],
      ['value.converter.converter.type', 'value'],
      ['value.converter.schemas.cache.size', '5'],
      ['value.converter.replace.null.with.default', 'true'],
      ['value.converter.schemas.enable', 'true'],
    ]);
    expect(configs.at(-5)).toMatchObject({
      definition: { name: 'value.converter.decimal.format', display_name: 'Decimal Format' },
      value: {
        errors: [
          'Invalid value x for configuration decimal.format: String must be one of (case insensitive): NUMERIC, BASE64',
        ],
      },
    });
    expect(groups.slice(-2)).toEqual(['Serialization', 'Schemas']);
  });

  it.each([
    [
      'key.converter',
      'NoSuch',
      null,
      'Invalid value NoSuch for configuration key.converter: Class NoSuch could not be found.',
    ],
    [
      'key.converter',
      'SimpleHeaderConverter',
      'org.apache.kafka.connect.storage.SimpleHeaderConverter',
      'Class class org.apache.kafka.connect.storage.SimpleHeaderConverter does not implement the Converter interface',
    ],
    [
      'header.converter',
      'test.ArraySourceConnector',
      'test.ArraySourceConnector',
      'Class class test.ArraySourceConnector does not implement the HeaderConverter interface',
    ],
  ])('refuses a %s of the class %s', async (key, className, shown, message) => {
    const { configs } = await validate({ [key]: className });
    expect(configs.find(({ value }) => value.name === key)?.value).toMatchObject({
      value: shown,
      errors: [message],
    });
  });

  it.each([
    ['None', 'acks', false],
    ['None', 'sasl.mechanism', false],
    ['Principal', 'sasl.mechanism', true],
    ['Principal', 'acks', false],
    ['Allowlist', 'acks', true],
    ['Allowlist', 'ssl.key.password', false],
    ['All', 'bootstrap.servers', true],
  ] as const)('under the policy %s, %s may be overridden: %s', async (overridePolicy, key, allowed) => {
    const found = await errors({ [`producer.override.${key}`]: 'x' }, { overridePolicy });
    expect(Object.keys(found)).toEqual(allowed ? [] : [`producer.override.${key}`]);
  });

  it.each([
    ['admin.override.x', {}, []],
    ['consumer.override.x', {}, []],
    ['admin.override.x', { 'topic.creation.default.partitions': '1' }, ['admin.override.x']],
    ['admin.override.x', { 'offsets.storage.topic': 'mine' }, ['admin.override.x']],
    ['consumer.override.x', { 'offsets.storage.topic': 'mine' }, ['consumer.override.x']],
    ['consumer.override.x', { 'topic.creation.default.partitions': '1' }, []],
  ])('checks %s with %j against the policy, as far as Kafka Connect does', async (key, more, refused) => {
    const config = { [key]: 'v', ...more };
    for (const overridePolicy of ['None', 'Principal', 'Allowlist'] as const)
      expect(Object.keys(await errors(config, { overridePolicy }))).toEqual(refused);
    expect(await errors(config, { overridePolicy: 'All' })).toEqual({});
    expect((await validate(config, { overridePolicy: 'All' })).warnings).toEqual([
      expect.stringContaining(`"${key}" has no effect in this worker: topics are created`),
    ]);
  });

  it('refuses more tasks than the connector can have', async () => {
    const one = scriptedSource({ maxTasks: 1 }).connector;
    expect(await errors({ 'tasks.max': ' 1 ' }, { connectors: [one] })).toEqual({});
    expect(await errors({ 'tasks.max': '2' }, { connectors: [one] })).toEqual({
      'tasks.max': ['Invalid value 2 for configuration tasks.max: Value must be 1'],
    });
    const four = scriptedSource({ maxTasks: 4 }).connector;
    expect(await errors({ 'tasks.max': '5' }, { connectors: [four] })).toEqual({
      'tasks.max': ['Invalid value 5 for configuration tasks.max: Value must be no more than 4'],
    });
  });

  it('takes null for a key of the connector that may be absent', async () => {
    expect(await errors({ 'feed.auth': null })).toEqual({});
  });

  it('shows the overrides that are given, with their types, and no others', async () => {
    const overridePolicy = 'Principal';
    const { configs } = await validate(
      { 'producer.override.linger.ms': 'soon', 'producer.override.sasl.jaas.config': 'canary' },
      { overridePolicy },
    );
    const shown = configs.filter(({ value }) => value.name.startsWith('producer.override.'));
    expect(shown).toMatchObject([
      {
        definition: { type: 'LONG', default_value: '0' },
        value: {
          name: 'producer.override.linger.ms',
          value: null,
          errors: [
            'Invalid value soon for configuration producer.override.linger.ms: Not a number of type LONG',
            expect.stringContaining("The 'Principal' policy does not allow 'linger.ms'"),
          ],
        },
      },
      { definition: { type: 'PASSWORD' }, value: { value: '********', errors: [] } },
    ]);
  });

  it('shows overrides as Java does, after the own keys of the connector and before those of its converter', async () => {
    const { configs } = await validate({
      'producer.override.acks': '1',
      'value.converter': 'JsonConverter',
    });
    const names = configs.map(({ value }) => value.name);
    const place = names.indexOf('producer.override.acks');
    expect(names.slice(place - 1, place + 2)).toEqual([
      'endpoint',
      'producer.override.acks',
      'value.converter.decimal.format',
    ]);
    expect(configs[place]?.definition?.display_name).toBe('acks');
  });

  it('refuses null values and internal topics', async () => {
    expect(await errors({ 'offsets.storage.topic': 'connect-offsets' })).toEqual({});
    const found = await errors({
      file: null,
      nothing: null,
      topic: 'connect-status',
      'offsets.storage.topic': 'connect-configs',
    });
    expect(found).toMatchObject({
      'offsets.storage.topic': [
        'Invalid value connect-configs for configuration offsets.storage.topic: it is an internal topic of this worker',
      ],
      file: ['Null value can not be supplied as the configuration value.'],
      nothing: ['Null value can not be supplied as the configuration value.'],
      topic: ['Invalid value connect-status for configuration topic: it is an internal topic of this worker'],
    });
  });

  it('asks the connector for its own rules, with references resolved', async () => {
    const seen: unknown[] = [];
    const { connector } = scriptedSource({
      validate: (raw, values) => {
        seen.push(raw['label']);
        return values.map((value) =>
          value.name === 'file' ? { ...value, errors: ['no such file'] } : value,
        );
      },
    });
    const provider = { get: async () => new Map([['k', 'resolved']]) };
    const overrides = { connectors: [connector], configProviders: new Map([['env', provider]]) };
    expect(await errors({ label: '${env:k}' }, overrides)).toEqual({ file: ['no such file'] });
    expect(seen).toEqual(['resolved']);
  });

  it('names the key whose reference cannot be resolved', async () => {
    const provider = {
      get: async () => {
        throw new ConnectorError('file_unreadable', 'Could not read properties from file /x');
      },
    };
    const found = await errors({ label: '${file:/x:k}' }, { configProviders: new Map([['file', provider]]) });
    expect(found).toEqual({
      label: ['Cannot resolve the references of label: Could not read properties from file /x'],
    });
  });

  it('warns of references that have no value', async () => {
    const provider = { get: async () => new Map([['there', 'value']]) };
    const { warnings, errorCount } = await validate(
      { label: '${env:there} ${env:gone} ${other:x}' },
      { configProviders: new Map([['env', provider]]) },
    );
    expect(errorCount).toBe(0);
    expect(warnings).toEqual(['"label": the reference ${env:gone} has no value and stays as it is written']);
  });

  it('warns of keys that are not read, with the nearest one that is', async () => {
    const { warnings, errorCount } = await validate({
      lable: 'x',
      zzz: '1',
      'config.providers': 'file',
      'config.providers.file.class': 'x',
      'value.converter.schemas.enable': 'false',
      'transaction.boundary': 'interval',
      'errors.retry.timeout': '0',
    });
    expect(errorCount).toBe(0);
    expect(warnings).toEqual([
      '"lable" is not a key of this connector and has no effect, did you mean "label"?',
      '"zzz" is not a key of this connector and has no effect',
      '"config.providers" has no effect in a connector, config providers are enabled in the worker configuration',
      '"transaction.boundary" has no effect in this worker: exactly.once.source.support is not enabled',
    ]);
  });

  it('shows no secret of a connector that throws, not in the cause either', async () => {
    const canary = 'canary-0815-canary';
    const { connector } = scriptedSource({
      validate: (raw) => {
        throw new Error(`cannot use ${raw['feed.auth']}`, { cause: new Error(`because of ${canary}`) });
      },
    });
    const failed = validate({ 'feed.auth': canary }, { connectors: [connector] });
    const error = await failed.catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ kind: 'internal', message: 'cannot use [hidden]' });
    expect((error as Error).cause).toMatch(
      /^Error: cannot use \[hidden\]\n.*Caused by: Error: because of \[hidden\]/s,
    );
  });

  it('shows no secret, neither as a value nor in a message', async () => {
    const canary = 'canary-4711-canary';
    const provider = { get: async () => new Map([['k', canary]]) };
    const validation = await validate(
      {
        'feed.auth': canary,
        endpoint: `wss://u:${canary}@h/?token=${canary}`,
        'tasks.max': '${env:k}',
        'errors.tolerance': '${env:k}',
        'my.password': canary,
        transforms: 'a,${env:k}',
        predicates: '${env:k}',
      },
      { configProviders: new Map([['env', provider]]) },
    );
    expect(validation.errorCount).toBeGreaterThan(0);
    expect(JSON.stringify(validation)).not.toContain(canary);
    expect(validation.groups.slice(-4)).toContain('Transforms: [hidden]');
    expect(validation.groups).toContain('Transforms: a');
  });
});

describe('the path of a validation', () => {
  it.each(['test.ArraySourceConnector', 'ArraySourceConnector', 'ArraySource', 'test.ArraySource'])(
    'may be %s',
    async (plugin) => {
      const validation = await runtimeHarness().herder.validate(plugin, configOf('a'));
      expect(validation.errorCount).toBe(0);
    },
  );

  it.each([
    [
      'Nope',
      configOf('a'),
      'Included connector type test.ArraySourceConnector does not match request type Nope',
    ],
    [
      'test.ArraySourceConnector',
      configOf('a', { 'connector.class': 'ArraySource' }),
      'Included connector type ArraySource does not match request type test.ArraySourceConnector',
    ],
    [
      'ArraySource',
      { name: 'a', 'feed.auth': 'canary' },
      'Connector config {name=a, feed.auth=********} contains no connector type',
    ],
    ['ArraySource', {}, 'Connector config {} contains no connector type'],
  ])('%s is refused when the class does not fit', async (plugin, config, message) => {
    await expect(runtimeHarness().herder.validate(plugin, config)).rejects.toMatchObject({
      kind: message.startsWith('Included') ? 'bad_request' : 'no_class',
      message,
    });
  });
});

describe('the configuration of a plugin', () => {
  it('has its own keys, and then those of every connector', async () => {
    const keys = await runtimeHarness().herder.pluginConfig('ArraySource');
    const names = keys.map(({ name }) => name);
    expect(names[0]).toBe('topic');
    expect(names.slice(-20, -17)).toEqual(['name', 'connector.class', 'tasks.max']);
  });

  it('is known of converters, and of nothing else', async () => {
    const { herder } = runtimeHarness();
    const keys = await herder.pluginConfig('org.apache.kafka.connect.json.JsonConverter');
    expect(keys.map(({ name }) => name)).toContain('schemas.enable');
    await expect(herder.pluginConfig('Nope')).rejects.toMatchObject({
      kind: 'not_found',
      message: 'Unknown plugin Nope.',
    });
  });
});
