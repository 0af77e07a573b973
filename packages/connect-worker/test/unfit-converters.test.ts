import type { RawConfig } from '@levada/connect-runtime-core';
import type { ProducedTypes } from '@levada/connect-runtime-core/contract';
import { describe, expect, it } from 'vitest';
import { configOf, runtimeHarness } from './runtime-harness.ts';
import { scriptedSource } from './scripted-connector.ts';

const byteArray = 'org.apache.kafka.connect.converters.ByteArrayConverter';
const json = 'org.apache.kafka.connect.json.JsonConverter';
const string = 'org.apache.kafka.connect.storage.StringConverter';

/** The errors of a configuration by key, with a connector that states these types. */
async function errors(produced: ProducedTypes, config: RawConfig) {
  const { connector } = scriptedSource({ produces: () => produced });
  const { herder } = runtimeHarness({ connectors: [connector] });
  const { configs } = await herder.validate('ArraySource', configOf('a', config));
  const wrong = configs.filter(({ value }) => value.errors.length > 0);
  return Object.fromEntries(wrong.map(({ value }) => [value.name, value.errors]));
}

describe('a converter that cannot take what a connector states to produce', () => {
  it('is an error that names the type and the converters that take it', async () => {
    expect(await errors({ value: ['bytes'] }, { 'value.converter': string })).toEqual({
      'value.converter': [
        `Invalid value ${string} for configuration value.converter: it cannot convert BYTES, which is the type of the values that are produced; use ${json} or ${byteArray}`,
      ],
    });
  });

  it("is an error when it is the worker's", async () => {
    const found = await errors({ value: ['bytes'] }, {});
    expect(found['value.converter']?.[0]).toContain(
      `Invalid value null for configuration value.converter: the worker's ${string} is used, and it cannot convert BYTES`,
    );
  });

  it('is an error for keys and headers too', async () => {
    const choices = { 'key.converter': 'Long', 'header.converter': 'Boolean', 'value.converter': 'Json' };
    const produced = { key: ['string'], header: ['string'], value: ['bytes', 'string'] } as const;
    expect(Object.keys(await errors(produced, choices))).toEqual(['key.converter', 'header.converter']);
  });

  it.each([
    ['Json', 'bytes'],
    ['ByteArray', 'bytes'],
    ['String', 'string'],
    ['String', 'int64'],
    ['Json', 'struct'],
    ['Boolean', 'boolean'],
    ['Double', 'float64'],
  ] as const)('is none with %s and %s', async (converter, type) => {
    expect(await errors({ value: [type] }, { 'value.converter': converter })).toEqual({});
  });

  it.each([
    ['String', 'bytes'],
    ['String', 'map'],
    ['ByteArray', 'string'],
    ['Boolean', 'string'],
    ['Short', 'string'],
    ['Integer', 'bytes'],
    ['Long', 'boolean'],
    ['Float', 'string'],
    ['Double', 'struct'],
  ] as const)('is one with %s and %s', async (converter, type) => {
    const found = await errors({ value: [type] }, { 'value.converter': converter });
    expect(found['value.converter']).toHaveLength(1);
  });

  it('is not looked for where nothing is stated, or where the part is always null', async () => {
    expect(await errors({}, { 'value.converter': 'Boolean' })).toEqual({});
    expect(await errors({ key: [] }, { 'key.converter': 'Boolean' })).toEqual({});
  });

  it('keeps a connector from being created', async () => {
    const { connector } = scriptedSource({ produces: () => ({ value: ['bytes'] }) });
    const harness = runtimeHarness({ connectors: [connector] });
    await harness.runtime.start();
    const config = configOf('a', { 'value.converter': string });
    await expect(harness.herder.create('a', config)).rejects.toThrow('it cannot convert BYTES');
    await expect(harness.herder.putConfig('a', config)).rejects.toThrow('it cannot convert BYTES');
    await harness.runtime.stop();
  });
});
