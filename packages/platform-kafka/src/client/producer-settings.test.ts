import { ConnectorError } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { producerKeys, producerSettings } from './producer-settings.ts';

function issuesOf(overrides: Record<string, string>): readonly string[] {
  try {
    producerSettings('id', overrides);
    return [];
  } catch (thrown) {
    return ConnectorError.from(thrown).issues.map((issue) => issue.key);
  }
}

describe('producer settings', () => {
  it('the defaults are those of Kafka Connect', () => {
    expect(producerSettings('id')).toMatchObject({
      clientId: 'id',
      compression: 'none',
      lingerMs: 0,
      maxRequestBytes: 1_048_576,
      deliveryTimeoutMs: 2_147_483_647,
      requestTimeoutMs: 30_000,
    });
  });

  it('all listed producer keys are parsed, and others are ignored', () => {
    const settings = producerSettings('id', {
      'client.id': 'mine',
      'compression.type': 'ZSTD',
      'batch.size': ' 16384 ',
      acks: 'all',
      'enable.idempotence': 'true',
      __proto__: 'harmless',
      'buffer.size': 'unknown',
    });
    expect(settings).toMatchObject({ clientId: 'mine', compression: 'zstd', batchBytes: 16_384 });
    expect(producerKeys).not.toContain('buffer.size');
  });

  it('all problems of producer settings are reported at once', () => {
    const wrong = { 'compression.type': 'snappy', 'linger.ms': 'soon', acks: '1', 'batch.size': '-1' };
    expect(issuesOf(wrong).toSorted()).toEqual(Object.keys(wrong).toSorted());
    expect(issuesOf({ 'compression.type': 'toString' })).toEqual(['compression.type']);
  });

  it('the error says which value of a producer setting was expected', () => {
    expect(() => producerSettings('id', { 'compression.type': 'lz4' })).toThrow(
      'Invalid value lz4 for configuration compression.type: expected one of none, gzip, zstd',
    );
  });
});
