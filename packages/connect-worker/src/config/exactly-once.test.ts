import type { RawConfig, SourceConnector } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { configOf, runtimeHarness } from '../../test/runtime-harness.ts';
import { scriptedSource } from '../../test/scripted-connector.ts';
import { transactionBoundary } from './exactly-once.ts';

describe('validation of exactly.once.support', () => {
  const required = { 'exactly.once.support': 'Required' };
  const messages = async (supports: Partial<SourceConnector>, config: RawConfig, enabled = true) => {
    const { herder } = runtimeHarness({
      connectors: [scriptedSource(supports).connector],
      exactlyOnceSourceSupport: enabled ? 'enabled' : 'preparing',
    });
    const { configs } = await herder.validate('ArraySource', configOf('a', config));
    return configs.flatMap(({ value }) => value.errors);
  };

  it("refuses it in Kafka Connect's words when the worker does not write transactions", async () => {
    expect(await messages({ exactlyOnceSupport: () => 'SUPPORTED' }, required, false)).toEqual([
      'This worker does not have exactly-once source support enabled.',
    ]);
  });

  it('accepts it when the connector can resume, and says why when it cannot', async () => {
    expect(await messages({ exactlyOnceSupport: () => 'SUPPORTED' }, required)).toEqual([]);
    expect(await messages({ exactlyOnceSupport: () => ({ unsupported: 'because' }) }, required)).toEqual([
      'The connector does not support exactly-once semantics with the provided configuration. Reason: because',
    ]);
    const thrower = (): never => {
      throw new Error('broken');
    };
    expect(await messages({ exactlyOnceSupport: thrower }, required)).toEqual([
      'An unexpected error occurred during validation: broken',
    ]);
    expect(await messages({}, required)).toEqual([
      expect.stringMatching(/^The connector does not implement the API required for preflight validation/),
    ]);
  });

  it('refuses transactions over two clusters', async () => {
    const config = { ...required, 'producer.override.bootstrap.servers': 'other:9092' };
    const harness = runtimeHarness({
      connectors: [scriptedSource({ exactlyOnceSupport: () => 'SUPPORTED' }).connector],
      exactlyOnceSourceSupport: 'enabled',
      overridePolicy: 'All',
    });
    const { configs } = await harness.herder.validate('ArraySource', configOf('a', config));
    expect(configs.flatMap(({ value }) => value.errors)).toEqual([
      'The connector does not support exactly-once semantics with the provided configuration. Reason: producer.override.bootstrap.servers sends records to another cluster than offsets',
    ]);
  });

  it('accepts the boundary connector only from connectors that say where transactions end', async () => {
    const config = { 'transaction.boundary': 'Connector' };
    expect(await messages({ definesTransactions: () => true }, config)).toEqual([]);
    expect(await messages({}, config)).toEqual([
      'The connector does not support connector-defined transaction boundaries with the given configuration. Please reconfigure it to use a different transaction boundary definition.',
    ]);
  });
});

describe('transactionBoundary', () => {
  it.each([
    [{}, { kind: 'poll' }],
    [{ 'transaction.boundary': 'POLL' }, { kind: 'poll' }],
    [{ 'transaction.boundary': 'interval' }, { kind: 'interval', ms: 60_000 }],
    [
      { 'transaction.boundary': 'Interval', 'transaction.boundary.interval.ms': ' 5 ' },
      { kind: 'interval', ms: 5 },
    ],
    [{ 'transaction.boundary': 'connector' }, { kind: 'connector' }],
  ])('of %j is %j', (config, boundary) => {
    expect(transactionBoundary(config as RawConfig, 60_000)).toEqual(boundary);
  });
});

describe('a worker that writes no transactions', () => {
  it('warns of keys that have no effect then', async () => {
    const { herder } = runtimeHarness();
    const config = { 'transaction.boundary': 'interval', 'transaction.boundary.interval.ms': '5' };
    const { warnings } = await herder.validate('ArraySource', configOf('a', config));
    expect(warnings).toEqual([
      '"transaction.boundary" has no effect in this worker: exactly.once.source.support is not enabled',
      '"transaction.boundary.interval.ms" has no effect in this worker: exactly.once.source.support is not enabled',
    ]);
  });
});
