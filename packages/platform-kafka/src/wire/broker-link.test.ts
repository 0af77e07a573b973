import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { systemClock } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import {
  brokerUser,
  type ListenerName,
  type ReachableBroker,
  saslMechanisms,
  startKafkaProxy,
} from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openLink } from './broker-link.ts';
import { ByteWriter } from './byte-writer.ts';
import { kafkaApis } from './gen/messages.ts';
import { type BrokerAddress, brokerAddress, type LinkOptions, type SaslOptions } from './link-options.ts';
import { writeMessage } from './message-codec.ts';

const API_VERSIONS = 18;
const METADATA = 3;
const SASL_HANDSHAKE = 17;
const UNSUPPORTED_VERSION = 35;
const options: LinkOptions = { clientId: 'link-test', clock: systemClock, connectionTimeoutMs: 5000 };
const everything = { topics: [], allowAutoTopicCreation: false };

type LookupArguments = [
  host: string,
  options: dns.LookupAllOptions,
  found: (error: null, addresses: dns.LookupAddress[]) => void,
];

function addressOf(text: string): BrokerAddress {
  const address = brokerAddress(text);
  if (address === undefined) throw new Error(`"${text}" is no address`);
  return address;
}

/** A response on the wire. */
function frame(correlationId: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(4 + payload.length, 0);
  head.writeInt32BE(correlationId, 4);
  return Buffer.concat([head, payload]);
}

/** The payload of an ApiVersions 0 response with versions 0 to 6 of each key. */
function versionsOf(apiKeys: readonly number[], error: number): Buffer {
  const payload = Buffer.alloc(6 + apiKeys.length * 6);
  payload.writeInt16BE(error, 0);
  payload.writeInt32BE(apiKeys.length, 2);
  for (const [row, apiKey] of apiKeys.entries()) {
    payload.writeInt16BE(apiKey, 6 + row * 6);
    payload.writeInt16BE(6, 10 + row * 6);
  }
  return payload;
}

function sasl(
  mechanism: (typeof saslMechanisms)[number],
  password: string = brokerUser.password,
): SaslOptions {
  return { mechanism, username: brokerUser.username, password };
}

describeWithSharedBroker('a link to a broker', {}, (broker) => {
  const tls = (of: ReachableBroker): { ca: string } => ({
    ca: readFileSync(of.certificates?.authority ?? '', 'utf8'),
  });
  const at = (name: ListenerName): BrokerAddress => addressOf(broker().endpoint(name));

  it('requests are sent by name', async () => {
    const link = await openLink(at('PLAINTEXT'), options);
    const answers = await Promise.all([link.call('Metadata', everything), link.call('Metadata', everything)]);
    expect(answers.map((answer) => answer.brokers.length)).toEqual([1, 1]);
    expect(link.inFlight).toBe(0);
    link.close();
  });

  it.each(saslMechanisms)(
    '%s over TLS authenticates without changing the given options',
    async (mechanism) => {
      const given = sasl(mechanism);
      const link = await openLink(at('SASL_SSL'), { ...options, tls: tls(broker()), sasl: given });
      expect((await link.call('Metadata', everything)).brokers).toHaveLength(1);
      expect(given).toEqual(sasl(mechanism));
      link.close();
    },
  );

  it('a wrong password is handshake_rejected without the password', async () => {
    const failure = openLink(at('SASL_PLAINTEXT'), {
      ...options,
      sasl: sasl('SCRAM-SHA-512', 'not-the-one'),
    });
    await expect(failure).rejects.toMatchObject({ code: 'handshake_rejected' });
    await expect(failure).rejects.not.toThrow(/not-the-one/);
  });

  it('the error says that the listener has no SASL', async () => {
    const attempt = openLink(at('PLAINTEXT'), { ...options, sasl: sasl('PLAIN') });
    await expect(attempt).rejects.toMatchObject({
      code: 'handshake_rejected',
      message: expect.stringMatching(/this listener of the broker is one without SASL/),
    });
  });

  it('an unknown certificate is rejected', async () => {
    const failure = openLink(at('SSL'), { ...options, tls: {} });
    await expect(failure).rejects.toMatchObject({ code: 'connection_failed' });
  });

  it('the error says that the listener requires TLS', async () => {
    await expect(openLink(at('SSL'), options)).rejects.toMatchObject({
      code: expect.stringMatching(/protocol_error|connection_failed/),
    });
  });

  it('a late answer ends the link and fails pending requests', async () => {
    const proxy = await startKafkaProxy(broker());
    const ended = Promise.withResolvers<{ readonly code: string }>();
    const hasty = { ...options, clock: createManualClock(), requestTimeoutMs: 100 };
    const link = await openLink(addressOf(proxy.bootstrap), hasty, { onClose: ended.resolve });
    proxy.delay(60_000, METADATA);
    const late = link.call('Metadata', everything).catch((error: unknown) => error);
    await waitFor(() => proxy.requests(METADATA) === 1);
    await hasty.clock.advance(100);
    expect(await late).toMatchObject({ code: 'timeout' });
    expect(await ended.promise).toMatchObject({ code: 'timeout' });
    await expect(link.call('Metadata', everything)).rejects.toMatchObject({ code: 'timeout' });
    await proxy.close();
  });

  it('pending requests fail when the link is closed', async () => {
    const proxy = await startKafkaProxy(broker());
    const link = await openLink(addressOf(proxy.bootstrap), options);
    proxy.blackhole(true);
    const call = link.call('Metadata', everything);
    await expect.poll(() => link.inFlight).toBe(1);
    link.close();
    await expect(call).rejects.toMatchObject({ code: 'closed' });
    await proxy.close();
  });
});

const loginModule = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule';
const shortSessions = {
  'connections.max.reauth.ms': '2000',
  'listener.name.sasl_plaintext.sasl.enabled.mechanisms': 'SCRAM-SHA-256,OAUTHBEARER',
  'listener.name.sasl_plaintext.oauthbearer.sasl.jaas.config': `${loginModule} required unsecuredLoginStringClaim_sub="levada";`,
};

/** An unsigned token, which a broker accepts by default. */
function unsecuredToken(seconds: number): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [{ alg: 'none' }, { sub: 'levada', iat: now, exp: now + seconds }];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
}

describeWithSharedBroker('a link whose sign-on expires', { settings: shortSessions }, (broker) => {
  it('the session is renewed before its end, and the link stays open', async () => {
    const address = addressOf(broker().endpoint('SASL_PLAINTEXT'));
    const link = await openLink(address, { ...options, sasl: sasl('SCRAM-SHA-256') });
    await expect.poll(() => link.stale, { timeout: 5000 }).toBe(true);
    await link.call('Metadata', everything);
    expect(link.stale).toBe(false);
    await expect.poll(() => link.stale, { timeout: 5000 }).toBe(true);
    await link.call('Metadata', everything);
    expect(link.closed).toBe(undefined);
    expect(link.newestVersion(SASL_HANDSHAKE)).toBeGreaterThan(0);
    link.close();
  });

  it('a token is requested for each authentication, and a refusal has the broker’s reason', async () => {
    const address = addressOf(broker().endpoint('SASL_PLAINTEXT'));
    const seconds = [60, 60, -60];
    const token = async () => ({ value: unsecuredToken(seconds.shift() ?? 0), extensions: { team: 'a' } });
    const withToken = { ...options, sasl: { mechanism: 'OAUTHBEARER', token } } as const;
    const link = await openLink(address, withToken);
    await link.renew();
    expect((await link.call('Metadata', everything)).brokers).toHaveLength(1);
    expect(seconds).toEqual([-60]);
    link.close();
    await expect(openLink(address, withToken)).rejects.toMatchObject({
      code: 'handshake_rejected',
      message: expect.stringMatching(/SASL OAUTHBEARER authentication failed: .*invalid_token/),
    });
  });

  it('the timeout of a token is that of the connection, for the first one and for renewals', async () => {
    const address = addressOf(broker().endpoint('SASL_PLAINTEXT'));
    const never = Promise.withResolvers<{ value: string }>();
    const tokens = [never.promise, Promise.resolve({ value: unsecuredToken(60) }), never.promise];
    const asked: unknown[] = [];
    const token = (): Promise<{ value: string }> => {
      const next = tokens.shift() ?? never.promise;
      asked.push(next);
      return next;
    };
    const clock = createManualClock();
    const withToken = { ...options, clock, sasl: { mechanism: 'OAUTHBEARER', token } } as const;
    const late = {
      code: 'handshake_rejected',
      message: 'no token to sign on with came within 5000 ms',
    };
    const opening = openLink(address, withToken).catch((thrown: unknown) => thrown);
    await waitFor(() => asked.length === 1);
    await clock.advance(5000);
    expect(await opening).toMatchObject(late);
    const link = await openLink(address, withToken);
    const renewing = link.renew();
    await waitFor(() => asked.length === 3);
    await clock.advance(5000);
    await renewing;
    expect(link.closed).toMatchObject(late);
  });

  it('a closed connection does not wait for a token', async () => {
    const address = addressOf(broker().endpoint('SASL_PLAINTEXT'));
    const abort = new AbortController();
    const token = (): Promise<never> => {
      abort.abort();
      return new Promise(() => undefined);
    };
    const withToken = { ...options, sasl: { mechanism: 'OAUTHBEARER', token } } as const;
    await expect(openLink(address, withToken, { signal: abort.signal })).rejects.toMatchObject({
      code: 'closed',
    });
  });

  it('the error lists the broker’s mechanisms if the requested one is missing', async () => {
    const { host, port } = addressOf(broker().endpoint('SASL_PLAINTEXT'));
    await expect(openLink({ host, port }, { ...options, sasl: sasl('PLAIN') })).rejects.toMatchObject({
      code: 'handshake_rejected',
      message: `broker ${host}:${port} refused the sign-on: it does not have SASL mechanism PLAIN, only SCRAM-SHA-256, OAUTHBEARER`,
    });
  });
});

describe('a link to something else', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });
  const listen = async (onSocket: (socket: Socket) => void): Promise<BrokerAddress> => {
    const server = createServer((socket) => {
      sockets.push(socket);
      onSocket(socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  };

  it('a peer that does not speak Kafka is refused', async () => {
    const address = await listen((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(openLink(address, options)).rejects.toMatchObject({ code: 'protocol_error' });
  });

  /**
   * Answers like a broker before Kafka 2.4, which does not know the first requested version of ApiVersions. Each request after
   * the second gets `answer` of its correlation id.
   */
  const listenAsBroker = (answer: (id: number) => Buffer, key = METADATA): Promise<BrokerAddress> =>
    listen((socket) => {
      let requests = 0;
      socket.on('data', (request: Buffer) => {
        const id = request.readInt32BE(8);
        requests += 1;
        const error = requests === 1 ? UNSUPPORTED_VERSION : 0;
        socket.write(requests <= 2 ? frame(id, versionsOf([key], error)) : answer(id));
      });
    });

  it('versions are requested again in the version of an older broker', async () => {
    const asked: number[] = [];
    const rows = [
      { apiKey: API_VERSIONS, minVersion: 0, maxVersion: 2 },
      { apiKey: METADATA, minVersion: 0, maxVersion: 7 },
    ];
    const address = await listen((socket) => {
      socket.on('data', (request: Buffer) => {
        const version = request.readInt16BE(6);
        asked.push(version);
        const errorCode = version > 2 ? UNSUPPORTED_VERSION : 0;
        const writer = new ByteWriter();
        const answer = { version: version > 2 ? 0 : version, value: { errorCode, apiKeys: rows } };
        writeMessage(writer, { table: kafkaApis.ApiVersions.response, ...answer });
        socket.write(frame(request.readInt32BE(8), writer.written));
      });
    });
    const link = await openLink(address, options);
    expect(asked).toEqual([4, 2]);
    expect(link.newestVersion(METADATA)).toBe(7);
    link.close();
  });

  it('a request that an old broker lacks is named, and the link stays open', async () => {
    const { host, port } = await listenAsBroker((id) => frame(id, Buffer.alloc(18)));
    const link = await openLink({ host, port }, options);
    const name = 'x'.repeat(40_000);
    await expect(link.call('Metadata', { topics: [{ name }] })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(
        `version 6 of the request Metadata to broker ${host}:${port} cannot be written`,
      ),
    });
    await expect(
      link.call('Heartbeat', { groupId: '', generationId: 0, memberId: '' }),
    ).rejects.toMatchObject({
      code: 'unsupported',
      message: `broker ${host}:${port} offers no version of the request Heartbeat, expected one of 0 to 4`,
    });
    expect(link.closed).toBe(undefined);
    link.close();
  });

  it.each([
    ['that ends too early', (id: number) => frame(id, Buffer.alloc(3, 1)), 'cannot be read'],
    ['of random bytes', (id: number) => frame(id, randomBytes(200)), 'cannot be read'],
    ['to another request', (id: number) => frame(id + 1, Buffer.alloc(8)), 'was not made'],
    ['with a huge length', () => Buffer.from('7fffffff00000000', 'hex'), '2147483647 bytes'],
    ['with a negative length', () => Buffer.from('ffffffff00000000', 'hex'), '-1 bytes'],
  ])('an answer %s ends the link with the reason', async (_, answer, text) => {
    const link = await openLink(await listenAsBroker(answer), options);
    await expect(link.call('Metadata', everything)).rejects.toMatchObject({
      code: 'protocol_error',
      message: expect.stringContaining(text),
    });
    expect(link.closed).toMatchObject({ code: 'protocol_error' });
  });

  it('a peer that breaks the protocol together with its last answer is refused', async () => {
    const address = await listen((socket) => {
      socket.once('data', (first: Buffer) => {
        socket.write(frame(first.readInt32BE(8), versionsOf([METADATA], UNSUPPORTED_VERSION)));
        socket.once('data', (second: Buffer) => {
          const last = frame(second.readInt32BE(8), versionsOf([METADATA], 0));
          socket.write(Buffer.concat([last, frame(12_345, Buffer.alloc(8))]));
        });
      });
    });
    const closed: unknown[] = [];
    const attempt = openLink(address, options, { onClose: (error) => closed.push(error) });
    await expect(attempt).rejects.toMatchObject({ code: 'protocol_error', message: /was not made/ });
    expect(closed).toEqual([]);
  });

  it('a link does not wait for a token after the peer broke the protocol', async () => {
    const broken = (id: number) =>
      Buffer.concat([frame(id, Buffer.alloc(6)), frame(12_345, Buffer.alloc(8))]);
    const token = (): Promise<never> => new Promise(() => undefined);
    const withToken = { ...options, sasl: { mechanism: 'OAUTHBEARER', token } } as const;
    const attempt = openLink(await listenAsBroker(broken, SASL_HANDSHAKE), withToken);
    await expect(attempt).rejects.toMatchObject({ code: 'protocol_error', message: /was not made/ });
  });

  it('a silent peer is given up', async () => {
    const address = await listen((socket) => socket.resume());
    const attempt = openLink(address, { ...options, connectionTimeoutMs: 50 });
    await expect(attempt).rejects.toMatchObject({ code: 'connection_failed', message: /within 50 ms/ });
  });

  it('a port without a listener is connection_failed', async () => {
    const address = await listen(() => undefined);
    await new Promise((resolve) => servers[0]?.close(resolve));
    await expect(openLink(address, options)).rejects.toMatchObject({ code: 'connection_failed' });
  });

  it('the error has a cause for each address of a name without listeners', async () => {
    const { port } = await listen(() => undefined);
    await new Promise((resolve) => servers[0]?.close(resolve));
    const addresses = ['127.0.0.1', '127.0.0.2'];
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((...[, , found]: LookupArguments) =>
      found(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as unknown as typeof dns.lookup);
    onTestFinished(() => lookup.mockRestore());
    const attempt = openLink({ host: 'broker.test', port }, options);
    await expect(attempt).rejects.toMatchObject({
      code: 'connection_failed',
      message: `connection to broker broker.test:${port} failed: ${addresses
        .map((address) => `connect ECONNREFUSED ${address}:${port}`)
        .join(', ')}`,
    });
  });

  it('connecting stops when its signal aborts', async () => {
    const address = await listen((socket) => socket.resume());
    const controller = new AbortController();
    const attempt = openLink(address, options, { signal: controller.signal });
    controller.abort();
    await expect(attempt).rejects.toMatchObject({ code: 'closed' });
  });
});
