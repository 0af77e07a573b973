import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { readTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describePeers, messageBytes, messageJson, tlsCredentials } from '@levada/test-peers/grpc';
import { makeCertificates } from '@levada/test-peers/tls';
import { expect, it } from 'vitest';
import { grpcConfig, grpcFeeds, writeDescriptor } from './grpc-feed.ts';
import { stage } from './stage.ts';
import { clusterLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

const fileProvider = {
  'config.providers': 'file',
  'config.providers.file.class': 'org.apache.kafka.common.config.provider.FileConfigProvider',
  'offset.flush.interval.ms': '50',
};

/** Has a value in every field. */
const richEvent = {
  eventId: 'e-1',
  sequence: '9007199254740993',
  severity: 'SEVERITY_HIGH',
  occurredAt: '2026-01-02T03:04:05.000000006Z',
  took: '1.500s',
  lines: [{ sku: 'A', quantity: 2 }, {}],
  totals: { b: '-1', a: '2' },
  place: { country: 'Österreich ☃', latitude: 48.2 },
  line: { sku: '😀' },
  digest: '+/8=',
  detail: { '@type': 'type.googleapis.com/teststream.Place', country: 'x' },
  changed: 'eventId,place.country',
  extra: { a: [1, null, true, 'x'] },
  limit: '18446744073709551615',
  rank: 0,
  score: 'NaN',
  share: 0.1,
  final: true,
  otherName: 'n',
};

const richGolden = [
  '{"eventId":"e-1","sequence":"9007199254740993","severity":"SEVERITY_HIGH",',
  '"occurredAt":"2026-01-02T03:04:05.000000006Z","took":"1.500s",',
  '"lines":[{"sku":"A","quantity":2},{"sku":"","quantity":0}],"totals":{"b":"-1","a":"2"},',
  '"place":{"country":"Österreich ☃","latitude":48.2,"longitude":0},"line":{"sku":"😀","quantity":0},',
  '"digest":"+/8=","detail":{"country":"x","latitude":0,"longitude":0,"@type":"type.googleapis.com/teststream.Place"},',
  '"changed":"eventId,place.country","extra":{"a":[1,null,true,"x"]},"limit":"18446744073709551615",',
  '"rank":0,"score":"NaN","share":0.1,"final":true,"otherName":"n"}',
].join('');

const emptyGolden =
  '{"eventId":"","sequence":"0","severity":"SEVERITY_UNSPECIFIED","lines":[],"totals":{},"digest":"",' +
  '"score":0,"share":0,"final":false,"otherName":""}';

/** The attributes that the product definition names. */
const attributeNames = [
  'MessagesReceived',
  'MessagesDropped',
  'RecordsProduced',
  'QueueSize',
  'QueueCapacity',
  'QueueUtilizationPercent',
  'IsConnected',
  'MillisSinceLastMessage',
  'UptimeMillis',
  'TotalReconnects',
  'LagCount',
  'DropRate',
];

describeWithSharedBroker('a gRPC connector that was created by REST', {}, (broker) => {
  it('calls a method over TLS with its request and metadata, and writes each message as JSON', async () => {
    const folder = await newFolder();
    makeCertificates(folder);
    const secrets = join(folder, 'secrets.properties');
    await writeFile(secrets, 'token=a-secret-token\n');
    const feed = await newFeed({
      service: 'teststream.RichService',
      method: 'Watch',
      credentials: tlsCredentials(folder, { mutual: false }),
    });
    const log = clusterLog(broker(), 'example');
    const worker = await startWorkerProcess(folder, { ...log.properties, ...fileProvider });
    await worker.ready();
    const config = {
      'connector.class': 'io.vendor.connect.grpc.GrpcSourceConnector',
      'tasks.max': '1',
      'grpc.server.host': '127.0.0.1',
      'grpc.server.port': String(feed.port),
      'grpc.service.name': 'teststream.RichService',
      'grpc.method.name': 'Watch',
      'grpc.request.message': '{"filter": "all", "cursor": {"sequence": "7"}, "include_all": true}',
      'grpc.proto.descriptor': await writeDescriptor(folder),
      'grpc.tls.enabled': 'true',
      'grpc.tls.ca.cert': join(folder, 'ca.pem'),
      'grpc.metadata': `authorization:Bearer \${file:${secrets}:token}, x-client: a:b,trace-bin:AQID`,
      'grpc.metadata.x-api-key': 'one, two',
      'platform.topic': 'example',
    };
    const began = Date.now();
    const created = await worker.call('POST', '/connectors', { name: 'orders', config });
    expect(created.status).toBe(201);
    const call = await feed.call(1);
    expect(messageJson('teststream.WatchRequest', call.request)).toEqual({
      filter: 'all',
      cursor: { sequence: '7' },
      includeAll: true,
    });
    const sent = (name: string) => call.metadata.get(name);
    expect(sent('authorization')).toEqual(['Bearer a-secret-token']);
    expect(sent('x-client')).toEqual(['a:b']);
    expect(sent('x-api-key')).toEqual(['one, two']);
    expect(sent('trace-bin')).toEqual([Buffer.from([1, 2, 3])]);

    call.send(messageBytes('teststream.RichEvent', richEvent), new Uint8Array());
    await worker.untilAttribute('orders', 'RecordsProduced', (n) => n === 2);
    const records = await log.records('example');
    expect(records.map(({ value }) => value)).toEqual([richGolden, emptyGolden]);
    expect(records.map(({ key, headers }) => ({ key, headers }))).toEqual([
      { key: null, headers: {} },
      { key: null, headers: {} },
    ]);
    for (const { timestamp } of records) {
      expect(timestamp).toBeGreaterThanOrEqual(began);
      expect(timestamp).toBeLessThanOrEqual(Date.now());
    }

    const status = await worker.call('GET', '/connectors/orders/status?expand=connection');
    const worker_id = new URL(await worker.url()).host;
    expect(status.json).toEqual({
      name: 'orders',
      connector: { state: 'RUNNING', worker_id },
      tasks: [{ id: 0, state: 'RUNNING', worker_id }],
      type: 'source',
      connection: [
        {
          task: 0,
          state: 'connected',
          last_message_age_ms: expect.any(Number),
          held_up_ms: null,
          last_error: null,
          attempt: null,
          next_try_in_ms: null,
          log: 'ok',
        },
      ],
    });
    expect((await worker.call('GET', '/connectors/orders/status')).json).not.toHaveProperty('connection');

    const metrics = await worker.call('GET', '/connectors/orders/metrics');
    const [object] = Object.keys(metrics.json);
    expect(object).toBe(
      `io.vendor.connect.grpc:type=GrpcConnector,name=orders,server="127.0.0.1:${feed.port}"`,
    );
    expect(Object.keys(metrics.json[object as string])).toEqual(expect.arrayContaining(attributeNames));
    expect(metrics.json[object as string]).toMatchObject({
      MessagesReceived: 2,
      RecordsProduced: 2,
      IsConnected: true,
      QueueCapacity: 10_000,
      TotalReconnects: 0,
      LagCount: 0,
      DropRate: 0,
      UnaccountedCount: 0,
    });
    const series = (await worker.call('GET', '/metrics')).text;
    const labels = '{connector="orders",plugin="GrpcSourceConnector"}';
    expect(series).toContain(`connect_source_messages_received_total${labels} 2`);
    expect(series).toContain(`connect_source_connected${labels} 1`);

    const shown = (await worker.call('GET', '/connectors/orders/config')).json;
    expect(shown['grpc.metadata']).toBe(config['grpc.metadata']);
    expect(shown['grpc.metadata.x-api-key']).toBe('********');
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(worker.errors()).toBe('');
    expect(worker.output()).not.toMatch(/a-secret-token|one, two/);
  });

  it('commits session and sequence in the form of Kafka Connect, and continues after them with a new worker', async () => {
    const folder = await newFolder();
    const feed = await newFeed();
    const log = clusterLog(broker(), 'committing');
    const properties = { ...log.properties, 'offset.flush.interval.ms': '50' };
    const worker = await startWorkerProcess(folder, properties);
    await worker.ready();
    await worker.call(
      'PUT',
      '/connectors/feed/config',
      grpcConfig(feed.port, { 'platform.topic': 'committing' }),
    );
    await feed.call(1);
    feed.send(5);
    const partition = {
      grpc_server: `127.0.0.1:${feed.port}`,
      grpc_method: 'teststream.TestStreamService/StreamEvents',
    };
    const committed = async (running: typeof worker) =>
      (await running.call('GET', '/connectors/feed/offsets')).json?.offsets ?? [];
    await waitFor(async () => (await committed(worker))[0]?.offset.sequence === 5, { timeoutMs: 20_000 });
    const sessionId = worker.logged('session_initialized')[0]?.['session_id'];
    expect(await committed(worker)).toEqual([{ partition, offset: { sessionId, sequence: 5 } }]);
    const stored = await readTopic(broker(), 'committing-offsets', { count: 1 });
    const json = (bytes: Buffer | null | undefined): unknown => JSON.parse(String(bytes));
    expect(json(stored.at(-1)?.key)).toEqual(['feed', partition]);
    expect(json(stored.at(-1)?.value)).toEqual({ sessionId, sequence: 5 });
    expect(await worker.end('SIGTERM')).toBe(0);

    const next = await startWorkerProcess(folder, properties);
    await feed.call(2);
    feed.send(5);
    await waitFor(async () => (await committed(next))[0]?.offset.sequence === 10, { timeoutMs: 20_000 });
    expect((await committed(next))[0].offset.sessionId).not.toBe(sessionId);
    expect(next.logged('offset_restored')).toMatchObject([{ session_id: sessionId, sequence: 5 }]);
    expect(await next.end('SIGTERM')).toBe(0);
  });

  describePeers('with a server of', (peer) => {
    it('delivers over mutual TLS what it asked for, with its metadata, and describes itself if it can', async () => {
      const folder = await newFolder();
      const secrets = join(folder, 'secrets.properties');
      await writeFile(secrets, 'token=a-secret-token\n');
      const log = clusterLog(broker(), `peer-${peer.name}`);
      const worker = await startWorkerProcess(folder, { ...log.properties, ...fileProvider });
      await worker.ready();
      const descriptor = { 'grpc.proto.descriptor': await writeDescriptor(folder) };
      const { 'grpc.proto.descriptor': _, ...undescribed } = grpcConfig(peer.port('mtls'));
      const config = (filter: string) => ({
        ...undescribed,
        'platform.topic': `from-${peer.name}`,
        'grpc.request.message': JSON.stringify({ filter }),
        'grpc.tls.enabled': 'true',
        'grpc.tls.ca.cert': peer.certificate('ca.pem'),
        'grpc.tls.client.cert': peer.certificate('client.pem'),
        'grpc.tls.client.key': peer.certificate('client.key'),
        'grpc.metadata': `authorization:Bearer \${file:${secrets}:token}`,
        'grpc.metadata.x-api-key': 'one, two',
        'grpc.completion.policy': 'stop',
      });
      const described = { ...config('echo'), ...descriptor };
      await worker.call('POST', '/connectors', { name: 'echo', config: described });
      const stopped = async (): Promise<boolean> =>
        (await worker.call('GET', '/connectors/echo/status')).json?.connector?.state === 'STOPPED';
      await waitFor(stopped, { timeoutMs: 30_000, what: () => worker.output() });
      const [echo] = await log.records(`from-${peer.name}`);
      const received = JSON.parse(JSON.parse(echo?.value ?? '').payload);
      expect(received).toMatchObject({ client: 'client', deadline: false });
      expect(received.metadata).toMatchObject({
        authorization: ['Bearer a-secret-token'],
        'x-api-key': ['one, two'],
      });

      const reflects = peer.name !== 'grpc-js';
      const change = { ...config('count=1000&size=200'), ...(reflects ? {} : descriptor) };
      await worker.call('PUT', '/connectors/echo/config', change);
      await worker.call('PUT', '/connectors/echo/resume');
      await worker.untilAttribute('echo', 'RecordsProduced', (n) => n === 1001);
      const records = await log.records(`from-${peer.name}`);
      const golden = (n: number): string =>
        JSON.stringify({
          eventId: `event-${n}`,
          timestamp: '',
          eventType: 'test',
          payload: '0123456789abcdef'.repeat(13).slice(0, 200),
          sequence: String(n),
        });
      expect(records.slice(1).map(({ value }) => value)).toEqual(
        Array.from({ length: 1000 }, (_, i) => golden(i + 1)),
      );
      expect(worker.logged('descriptor_by_reflection')).toHaveLength(reflects ? 1 : 0);
      expect(await worker.end('SIGTERM')).toBe(0);
      expect(worker.errors()).toBe('');
    });
  });
});
