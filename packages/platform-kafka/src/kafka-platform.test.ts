import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RawConfig, systemClock } from '@levada/connect-runtime-core';
import type { LogPlatform } from '@levada/connect-runtime-core/platform';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import {
  brokerUser,
  createTopic,
  readTopic,
  saslMechanisms,
  strangerUser,
  withAdmin,
} from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';
import { afterEach, describe, expect, it } from 'vitest';
import { record } from '../test/producing.ts';
import { openKafkaPlatform } from './kafka-platform.ts';

const run = promisify(execFile);

const opened: LogPlatform[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((platform) => platform.close()));
});

async function open(
  config: RawConfig,
  logger: RecordingLogger = createRecordingLogger(),
): Promise<LogPlatform> {
  const platform = await openKafkaPlatform({ config, logger, clock: systemClock });
  opened.push(platform);
  return platform;
}

const module = {
  PLAIN: 'org.apache.kafka.common.security.plain.PlainLoginModule',
  'SCRAM-SHA-256': 'org.apache.kafka.common.security.scram.ScramLoginModule',
  'SCRAM-SHA-512': 'org.apache.kafka.common.security.scram.ScramLoginModule',
};

const mayDescribe = {
  resourceType: AclResourceTypes.TOPIC,
  resourcePatternType: ResourcePatternTypes.LITERAL,
  host: '*',
  operation: AclOperationTypes.DESCRIBE,
  permissionType: AclPermissionTypes.ALLOW,
};

interface Login {
  readonly mechanism: keyof typeof module;
  readonly username: string;
  readonly password: string;
}

function sasl({ mechanism, username, password }: Login): RawConfig {
  return {
    'sasl.mechanism': mechanism,
    'sasl.jaas.config': `${module[mechanism]} required username="${username}" password="${password}";`,
  };
}

describe('a platform without a broker', () => {
  const nowhere = { 'bootstrap.servers': '127.0.0.1:1' };

  it('the platform opens, reports the cause of being down, and closes', async () => {
    const logger = createRecordingLogger();
    const platform = await open(nowhere, logger);
    expect(platform.health()).toMatchObject({ status: 'away' });
    await waitFor(() => logger.withEvent('kafka_unavailable').length > 0);
    expect(platform.health()).toMatchObject({
      status: 'away',
      reason: expect.stringContaining('127.0.0.1:1'),
    });
    await expect(platform.clusterId()).rejects.toMatchObject({ code: 'connection_failed', retriable: true });
    await platform.close();
    await platform.close();
    await expect(platform.producer({ clientId: 'p' })).rejects.toMatchObject({ code: 'closed' });
  });

  it('the health has the cause for each refused client, and forgets closed ones', async () => {
    const platform = await open(nowhere);
    const opening = platform.compactedLog(
      { topic: { name: 'x', partitions: 1 }, configKey: 'k', onRecord: () => undefined, clientId: 'reader' },
      AbortSignal.timeout(50),
    );
    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
    expect(platform.health()).toMatchObject({ status: 'away' });
  });

  it('producers can still be opened', async () => {
    const platform = await open(nowhere);
    const producer = await platform.producer({ clientId: 'p' });
    await producer.close({ timeoutMs: 0 });
    expect(producer.pendingBytes).toBe(0);
  });

  it('work on topics is given up after its timeout', async () => {
    const platform = await open({ ...nowhere, 'default.api.timeout.ms': '150' });
    await expect(platform.createTopics([{ name: 'x' }])).rejects.toMatchObject({ code: 'connection_failed' });
  });

  it('keys without effect are logged once, including those of a producer', async () => {
    const logger = createRecordingLogger();
    const ignored = { 'producer.interceptor.classes': 'x', 'send.buffer.bytes': '1' };
    const platform = await open({ ...nowhere, ...ignored }, logger);
    const overrides = { 'interceptor.classes': 'x', 'partitioner.class': 'y', 'linger.ms': '1' };
    for (const clientId of ['one', 'two']) await (await platform.producer({ clientId, overrides })).close();
    const lines = logger.withEvent('kafka_keys_ignored').map(({ fields }) => fields['keys']);
    expect(lines).toEqual([['producer.interceptor.classes', 'send.buffer.bytes'], ['partitioner.class']]);
  });

  it('an invalid configuration is refused', async () => {
    const config = { ...nowhere, 'admin.security.protocol': 'TLS' };
    await expect(open(config)).rejects.toMatchObject({ code: 'config_invalid' });
    const file = { ...nowhere, 'security.protocol': 'SSL', 'ssl.truststore.location': '/nowhere/ca.pem' };
    await expect(open(file)).rejects.toMatchObject({
      code: 'file_unreadable',
      message: 'Cannot read the file of ssl.truststore.location "/nowhere/ca.pem": ENOENT',
    });
  });
});

describeWithSharedBroker('a platform on a broker', { autoCreateTopics: false }, (broker) => {
  const config = () => ({ 'bootstrap.servers': broker().bootstrap });

  it('the platform is up and has the cluster id', async () => {
    const logger = createRecordingLogger();
    const platform = await open(config(), logger);
    expect(await platform.clusterId()).toMatch(/^[\w-]{22}$/);
    expect(platform.health()).toEqual({ status: 'ok' });
    expect(logger.withEvent('kafka_available')).toHaveLength(1);
  });

  it('missing topics are created, and others are not changed', async () => {
    const platform = await open(config());
    await platform.createTopics([{ name: 'one', partitions: 2, config: { 'cleanup.policy': 'compact' } }]);
    await platform.createTopics([{ name: 'one', partitions: 7 }, { name: 'two' }]);
    const found = await platform.describeTopics(['two', 'one', 'three', '__proto__']);
    expect([...found].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'one', partitions: 2, cleanupPolicy: 'compact' },
      { name: 'two', partitions: 1, cleanupPolicy: 'delete' },
    ]);
    expect(await platform.describeTopics([])).toEqual([]);
  });

  it('each topic is created once by several concurrent workers', async () => {
    const [one, other] = [await open(config()), await open(config())];
    await Promise.all([one, other, one].map((each) => each.createTopics([{ name: 'raced', partitions: 3 }])));
    expect(await one.describeTopics(['raced'])).toHaveLength(1);
  });

  it.each([
    ['a/b', {}, 'INVALID_TOPIC_EXCEPTION'],
    ['factor', { replicationFactor: 2 }, 'INVALID_REPLICATION_FACTOR'],
    ['key', { config: { 'cleanup.policy': 'shred' } }, 'INVALID_CONFIG'],
  ])('the error for topic %s names the problem', async (name, spec, kafkaName) => {
    const platform = await open(config());
    await expect(platform.createTopics([{ name, ...spec }])).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(new RegExp(`^cannot create topic "${name}": .*\\(${kafkaName}\\)$`)),
    });
  });

  it('a producer uses the keys of the worker and its own', async () => {
    const platform = await open({ ...config(), 'producer.compression.type': 'gzip' });
    await platform.createTopics([{ name: 'written' }]);
    const producer = await platform.producer({ clientId: 'p', overrides: { 'linger.ms': '1' } });
    const value = Buffer.from('v');
    const record = { topic: 'written', partition: null, key: null, value, timestamp: 1, headers: [] };
    expect(await producer.send([record])).toEqual({ stored: 1, failures: [] });
    expect(await readTopic(broker(), 'written', { count: 1 })).toMatchObject([{ key: null, value }]);
    const wrong = platform.producer({ clientId: 'p', overrides: { 'linger.ms': 'x' } });
    await expect(wrong).rejects.toMatchObject({ code: 'config_invalid', issues: [{ key: 'linger.ms' }] });
  });
});

describeWithSharedBroker('a platform on a broker with TLS and SASL', {}, (broker) => {
  const trust = () => ({
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': broker().certificates?.authority ?? '',
  });
  const secure = () => ({
    'bootstrap.servers': broker().endpoint('SASL_SSL'),
    'security.protocol': 'SASL_SSL',
    ...trust(),
  });

  it.each(saslMechanisms)('%s over TLS works for topics, reading and writing', async (mechanism) => {
    const platform = await open({ ...secure(), ...sasl({ mechanism, ...brokerUser }) });
    const seen: string[] = [];
    const log = await platform.compactedLog({
      topic: { name: `signed-${mechanism}`, partitions: 1, replicationFactor: 1 },
      configKey: 'config.storage.topic',
      onRecord: ({ key }) => seen.push(Buffer.from(key ?? []).toString()),
      clientId: 'reader',
    });
    await log.put(Buffer.from('k'), Buffer.from('v'));
    await log.readToEnd();
    expect(seen).toEqual(['k']);
  });

  it.each(saslMechanisms)('a wrong password for %s is reported without being shown', async (mechanism) => {
    const logger = createRecordingLogger();
    const login = { mechanism, username: brokerUser.username, password: 'canary-password' };
    const platform = await open({ ...secure(), ...sasl(login) }, logger);
    await waitFor(() => logger.withEvent('kafka_unavailable').length > 0);
    await expect(platform.clusterId()).rejects.toMatchObject({
      code: 'handshake_rejected',
      message: expect.stringMatching(/refused the sign-on: .*[Aa]uthentication/),
    });
    expect(platform.health()).toMatchObject({ status: 'away', reason: expect.stringContaining('sign-on') });
    expect(logger.text()).not.toContain('canary-password');
  });

  it('trusted certificates may be texts', async () => {
    const pem = await readFile(broker().certificates?.authority ?? '', 'utf8');
    const platform = await open({
      'bootstrap.servers': broker().endpoint('SSL'),
      'security.protocol': 'SSL',
      'ssl.truststore.certificates': pem,
    });
    expect(await platform.clusterId()).toMatch(/^[\w-]{22}$/);
  });

  it('an untrusted broker is refused', async () => {
    const platform = await open({
      'bootstrap.servers': broker().endpoint('SSL'),
      'security.protocol': 'SSL',
    });
    await expect(platform.clusterId()).rejects.toThrow(/certificate/);
  });

  it('an unreadable trust store is refused with a fix', async () => {
    const file = join(broker().folder, 'trust.jks');
    await writeFile(file, Buffer.from('feedfeed00000002', 'hex'));
    const config = {
      ...secure(),
      ...sasl({ mechanism: 'PLAIN', ...brokerUser }),
      'ssl.truststore.location': file,
    };
    await expect(open(config)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(
        /ssl\.truststore\.location: file ".*trust\.jks" is JKS, which cannot be read here; convert it/,
      ),
    });
  });
});

describeWithSharedBroker(
  'a platform on a broker that asks for certificates and rights',
  { tls: 'client-certificate', authorizer: true },
  (broker) => {
    it('client certificates work from a PEM file, from texts and from PKCS12', async () => {
      const { authority = '', clientCertificate = '', clientKey = '' } = broker().certificates ?? {};
      const store = join(broker().folder, 'client.pem');
      const parts = await Promise.all([clientKey, clientCertificate].map((file) => readFile(file, 'utf8')));
      await writeFile(store, parts.join(''));
      const base = {
        'bootstrap.servers': broker().endpoint('SSL'),
        'security.protocol': 'SSL',
        'ssl.truststore.location': authority,
      };
      await expect((await open(base)).clusterId()).rejects.toMatchObject({ retriable: true });
      const withKey = await open({ ...base, 'ssl.keystore.type': 'PEM', 'ssl.keystore.location': store });
      expect(await withKey.clusterId()).toMatch(/^[\w-]{22}$/);
      const texts = { 'ssl.keystore.key': parts[0] ?? '', 'ssl.keystore.certificate.chain': parts[1] ?? '' };
      expect(await (await open({ ...base, ...texts })).clusterId()).toMatch(/^[\w-]{22}$/);
      const p12 = join(broker().folder, 'client.p12');
      await run('openssl', ['pkcs12', '-export', '-in', store, '-out', p12, '-passout', 'pass:changeit']);
      // No type is given: as in Java, a store of type JKS may be PKCS12
      const trust = join(broker().folder, 'trust.p12');
      const output = ['-keystore', trust, '-storepass', 'changeme'];
      await run('keytool', ['-importcert', '-noprompt', '-alias', 'ca', '-file', authority, ...output]);
      const stored = {
        ...base,
        'ssl.truststore.location': trust,
        'ssl.truststore.password': 'changeme',
        'ssl.keystore.location': p12,
        'ssl.keystore.password': 'changeit',
      };
      expect(await (await open(stored)).clusterId()).toMatch(/^[\w-]{22}$/);
      await expect(open({ ...stored, 'ssl.keystore.password': 'canary' })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(
          /^(?!.*canary).*client\.p12" cannot be opened with the ssl\.keystore\.password given/,
        ),
      });
    });

    const stranger = () => ({
      'bootstrap.servers': broker().endpoint('SASL_PLAINTEXT'),
      'security.protocol': 'SASL_PLAINTEXT',
      ...sasl({ mechanism: 'PLAIN', ...strangerUser }),
    });

    it('a user without the right to create a topic gets an error', async () => {
      const platform = await open(stranger());
      await expect(platform.createTopics([{ name: 'forbidden' }])).rejects.toMatchObject({
        code: 'topic_unavailable',
        retriable: false,
        message: expect.stringContaining('TOPIC_AUTHORIZATION_FAILED'),
      });
    });

    it('a user without the right to read a visible topic gets an error', async () => {
      await createTopic(broker(), 'seen', { config: { 'cleanup.policy': 'compact' } });
      const right = { ...mayDescribe, resourceName: 'seen', principal: `User:${strangerUser.username}` };
      await withAdmin(broker(), (admin) => admin.createAcls({ acl: [right] }));
      // An empty topic is read to its end before its first fetch is answered
      const owner = await open({ 'bootstrap.servers': broker().bootstrap });
      const written = await owner.compactedLog({
        topic: { name: 'seen', partitions: 1 },
        configKey: 'config.storage.topic',
        onRecord: () => undefined,
        clientId: 'writer',
      });
      await written.put(Buffer.from('key'), Buffer.from('value'));
      const platform = await open(stranger());
      const opening = platform.compactedLog({
        topic: { name: 'seen', partitions: 1 },
        configKey: 'config.storage.topic',
        onRecord: () => undefined,
        clientId: 'reader',
      });
      await expect(opening).rejects.toMatchObject({
        code: 'topic_unavailable',
        message:
          'cannot read topic "seen" partition 0: the user has no right to it (TOPIC_AUTHORIZATION_FAILED)',
      });
      expect(platform.health()).toEqual({ status: 'ok' });
    });
  },
);

describeWithSharedBroker('a platform on Kafka 4', { version: '4.3.1' }, (broker) => {
  it('a compacted log is created, written, read and followed', async () => {
    const platform = await open({ 'bootstrap.servers': broker().bootstrap });
    const seen: string[] = [];
    const options = {
      topic: { name: 'four', partitions: 25, replicationFactor: -1 },
      configKey: 'offset.storage.topic',
      onRecord: ({ key }: { readonly key: Uint8Array | null }) =>
        seen.push(Buffer.from(key ?? []).toString()),
      clientId: 'reader',
    };
    const log = await platform.compactedLog(options);
    for (const key of ['a', 'b', 'c']) await log.put(Buffer.from(key), Buffer.from('v'));
    await log.readToEnd();
    expect([...seen].sort()).toEqual(['a', 'b', 'c']);
    const found = await platform.describeTopics(['four']);
    expect(found).toEqual([{ name: 'four', partitions: 25, cleanupPolicy: 'compact' }]);
  });

  it('transactions are committed and aborted, and the earlier producer of the id is fenced', async () => {
    const platform = await open({ 'bootstrap.servers': broker().bootstrap });
    const never = new AbortController().signal;
    const producer = async () =>
      await platform.transactions?.producer({ clientId: 'four-0', transactionalId: 'four-0' }, never);
    await createTopic(broker(), 'four-whole');
    const first = await producer();
    for (const [value, outcome] of [
      ['a', 'commit'],
      ['b', 'abort'],
      ['c', 'commit'],
      ['d', 'open'],
    ] as const) {
      expect(await first?.send([record('four-whole', value)])).toEqual({ stored: 1, failures: [] });
      if (outcome !== 'open') await first?.[outcome]();
    }
    const second = await producer();
    await second?.send([record('four-whole', 'e')]);
    await second?.commit();
    await expect(first?.commit()).rejects.toMatchObject({ code: 'fenced' });
    const records = await readTopic(broker(), 'four-whole', { count: 3 });
    expect(records.map(({ value }) => String(value))).toEqual(['a', 'c', 'e']);
  });
});
