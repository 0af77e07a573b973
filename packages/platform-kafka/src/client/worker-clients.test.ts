import { isConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { ignoredKeys, ignoredKeyText, workerClients } from './worker-clients.ts';

const base = { 'bootstrap.servers': 'a:1' };

describe('the clients of a worker', () => {
  it('a client gets the keys without prefix, overridden by its own', () => {
    const clients = workerClients({
      ...base,
      'request.timeout.ms': '1000',
      'consumer.request.timeout.ms': '2000',
      'admin.bootstrap.servers': 'b:2',
      'producer.security.protocol': 'SSL',
    });
    expect(clients.consumer.requestTimeoutMs).toBe(2000);
    expect(clients.admin.requestTimeoutMs).toBe(1000);
    expect(clients.admin.brokers).toEqual([{ host: 'b', port: 2 }]);
    expect(clients.consumer.tls).toBeUndefined();
    expect(clients.producer.tls).toBeDefined();
  });

  it('an invalid key is reported once with its prefix', () => {
    const issues = issuesOf({
      ...base,
      'retry.backoff.ms': '0',
      'producer.linger.ms': 'x',
      'admin.request.timeout.ms': '-1',
    });
    expect(issues).toEqual({
      'retry.backoff.ms': expect.stringContaining('Invalid value 0 for configuration retry.backoff.ms'),
      'producer.linger.ms': expect.stringContaining('Invalid value x for configuration producer.linger.ms'),
      'admin.request.timeout.ms': expect.stringContaining('for configuration admin.request.timeout.ms'),
    });
  });

  it('keys may have the names of object members', () => {
    const keys = JSON.parse('{"__proto__":"x","constructor":"y","producer.__proto__":"z"}') as RawConfig;
    expect(workerClients({ ...keys, ...base }).producer.brokers).toHaveLength(1);
    expect(ignoredTexts(keys)).toEqual(['producer.__proto__']);
  });
});

describe('keys without effect', () => {
  it("only keys of Kafka's clients are listed as keys without effect", () => {
    const keys = {
      ...base,
      'group.id': 'g',
      'offset.flush.interval.ms': '1',
      'ssl.client.auth': 'none',
      anything: 'x',
    };
    expect(ignoredTexts(keys)).toEqual([]);
    expect(ignoredTexts({ ...keys, 'ssl.cipher.suites': 'X' })).toEqual(['ssl.cipher.suites']);
  });

  it('every unknown key with a prefix is listed, with a hint if misspelt', () => {
    const keys = {
      'producer.interceptor.classes': 'a.B',
      'consumer.fetch.max.byte': '1',
      'producer.acks': 'all',
    };
    expect(ignoredTexts(keys)).toEqual([
      'producer.interceptor.classes',
      'consumer.fetch.max.byte (did you mean fetch.max.bytes?)',
    ]);
  });

  it('misspelt security keys are listed', () => {
    expect(ignoredTexts({ 'ssl.truststore.locaton': '/ca.pem', 'group.i': 'g' })).toEqual([
      'ssl.truststore.locaton (did you mean ssl.truststore.location?)',
    ]);
  });

  it('a key whose value equals the built-in behaviour is not listed', () => {
    const keys = {
      'consumer.auto.offset.reset': 'earliest',
      'client.dns.lookup': 'use_all_dns_ips',
      retries: '2147483647',
    };
    expect(ignoredTexts(keys)).toEqual([]);
  });
});

function ignoredTexts(keys: RawConfig): readonly string[] {
  return ignoredKeys(keys).map(ignoredKeyText);
}

function issuesOf(keys: RawConfig): Readonly<Record<string, string>> {
  try {
    workerClients(keys);
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    return Object.fromEntries(thrown.issues.map(({ key, message }) => [key, message]));
  }
  return {};
}
