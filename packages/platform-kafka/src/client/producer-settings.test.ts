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
  it('uses the defaults of Kafka Connect for producers', () => {
    expect(producerSettings('id')).toMatchObject({
      clientId: 'id',
      compression: 'none',
      lingerMs: 0,
      maxRequestBytes: 1_048_576,
      deliveryTimeoutMs: 2_147_483_647,
      requestTimeoutMs: 30_000,
    });
  });

  it('takes every producer key that is listed, and omits the others', () => {
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

  it('reports every problem of producer settings at once', () => {
    const wrong = { 'compression.type': 'snappy', 'linger.ms': 'soon', acks: '1', 'batch.size': '-1' };
    expect(issuesOf(wrong).toSorted()).toEqual(Object.keys(wrong).toSorted());
    expect(issuesOf({ 'compression.type': 'toString' })).toEqual(['compression.type']);
  });

  it('reports what was expected of a producer setting', () => {
    expect(() => producerSettings('id', { 'compression.type': 'lz4' })).toThrow(
      'Invalid value lz4 for configuration compression.type: expected one of none, gzip, zstd',
    );
  });
});
