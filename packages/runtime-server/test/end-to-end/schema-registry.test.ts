import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeWithSchemaRegistry } from '@levada/kafka-testkit/vitest';
import { openEmbeddedReader } from '@levada/platform-embedded';
import { describe, expect, it } from 'vitest';
import { numberedMessages } from './numbered-feed.ts';
import { stage, webSocketConfig } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder, newFeed } = stage();
const avro = 'io.confluent.connect.avro.AvroConverter';

/** Values of a topic in the embedded log of a worker. */
async function storedValues(folder: string, topic: string): Promise<readonly Buffer[]> {
  const reader = await openEmbeddedReader({ folder: `${folder}/.levada` });
  try {
    const values: Buffer[] = [];
    for await (const { value } of reader.read({ topic })) values.push(Buffer.from(value ?? []));
    return values;
  } finally {
    await reader.close();
  }
}

/** Text in Avro's form after its length, a zigzag number of one or two bytes. */
function avroText(bytes: Buffer): string {
  return bytes.subarray((bytes[0] ?? 0) > 0x7f ? 2 : 1).toString();
}

describeWithSchemaRegistry('a WebSocket connector with the Avro converter', (url) => {
  it('stores text that is read back with the schema of its id', async () => {
    const feed = await newFeed();
    const folder = await newFolder();
    const worker = startWorkerHere(folder);
    await worker.ready();
    const config = webSocketConfig(feed, {
      'platform.topic': 'avro-end-to-end',
      'value.converter': avro,
      'value.converter.schema.registry.url': url(),
    });
    expect((await worker.call('POST', '/connectors', { name: 'a', config })).status).toBe(201);
    await feed.connection(1);
    feed.send(20);
    await worker.untilAttribute('a', 'RecordsProduced', (n) => n === 20);
    const values = await storedValues(folder, 'avro-end-to-end');
    expect(new Set(values.map((value) => value[0]))).toEqual(new Set([0]));
    const ids = [...new Set(values.map((value) => value.readUInt32BE(1)))];
    expect(ids).toHaveLength(1);
    const answer = await fetch(`${url()}/schemas/ids/${ids[0]}`);
    expect(await answer.json()).toMatchObject({ schema: '"string"' });
    expect(values.map((value) => avroText(value.subarray(5)))).toEqual(numberedMessages(20));
  });
});

describe('a connector whose registry is away', () => {
  it('loses nothing while errors.retry.timeout allows to wait', async () => {
    let serving = false;
    const registry = createServer((request, response) => {
      request.resume();
      response.writeHead(serving ? 200 : 503).end(serving ? '{"id":7}' : '{"message":"starting"}');
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    try {
      const feed = await newFeed();
      const folder = await newFolder();
      const worker = startWorkerHere(folder);
      await worker.ready();
      const config = webSocketConfig(feed, {
        'value.converter': avro,
        'value.converter.schema.registry.url': `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
        'value.converter.max.retries': '0',
        'errors.retry.timeout': '-1',
        'errors.retry.delay.max.ms': '100',
      });
      await worker.call('POST', '/connectors', { name: 'a', config });
      await feed.connection(1);
      feed.send(50);
      await worker.untilAttribute('a', 'MessagesReceived', (n) => n === 50);
      await waitFor(() => worker.logged('schema_preparation_failed').length > 0);
      serving = true;
      const attributes = await worker.untilAttribute('a', 'RecordsProduced', (n) => n === 50);
      expect(attributes).toMatchObject({ MessagesDropped: 0, UnaccountedCount: 0 });
      const values = await storedValues(folder, 'messages');
      expect(values.map((value) => avroText(value.subarray(5)))).toEqual(numberedMessages(50));
    } finally {
      registry.closeAllConnections();
      registry.close();
    }
  });

  it('fails its task with the reason when it may not wait', async () => {
    const feed = await newFeed();
    const worker = startWorkerHere(await newFolder());
    await worker.ready();
    const config = webSocketConfig(feed, {
      'value.converter': avro,
      'value.converter.schema.registry.url': 'http://127.0.0.1:1',
      'value.converter.max.retries': '0',
    });
    await worker.call('POST', '/connectors', { name: 'a', config });
    await feed.connection(1);
    feed.send(5);
    await waitFor(async () => {
      const { json } = await worker.call('GET', '/connectors/a/status');
      return (json as { tasks: { state: string }[] }).tasks[0]?.state === 'FAILED';
    });
    const { json } = await worker.call('GET', '/connectors/a/status');
    expect((json as { tasks: { trace: string }[] }).tasks[0]?.trace).toContain(
      'schema registry http://127.0.0.1:1: ',
    );
  });
});

describe('the keys of the Avro converter', () => {
  it('are validated under their prefix, with secrets hidden, and the class is listed', async () => {
    const worker = startWorkerHere(await newFolder());
    await worker.ready();
    const plugins = await worker.call('GET', '/connector-plugins?connectorsOnly=false');
    const listed = plugins.json as readonly { readonly class: string; readonly type: string }[];
    expect(listed.filter((each) => each.class === avro).map(({ type }) => type)).toEqual(['converter']);
    const connectorClass = 'io.vendor.connect.websocket.WebSocketSourceConnector';
    const validate = async (more: Readonly<Record<string, string>>) => {
      const path = `/connector-plugins/${connectorClass}/config/validate`;
      const config = {
        name: 'a',
        'connector.class': connectorClass,
        'websocket.url': 'ws://127.0.0.1:1/',
        'platform.topic': 't',
        'value.converter': avro,
        ...more,
      };
      return JSON.stringify((await worker.call('PUT', path, config)).json);
    };
    expect(await validate({})).toContain(
      'Missing required configuration \\"schema.registry.url\\" which has no default value.',
    );
    const answer = await validate({
      'value.converter.schema.registry.url': 'http://me:hunter22@127.0.0.1:8081',
      'value.converter.basic.auth.user.info': 'me:hunter22',
      'value.converter.auto.register.schemas': 'perhaps',
    });
    expect(answer).toContain('value.converter.auto.register.schemas');
    expect(answer).toContain('perhaps');
    expect(answer).not.toContain('hunter22');
    await worker.call('POST', '/connectors', {
      name: 'a',
      config: {
        'connector.class': connectorClass,
        'websocket.url': 'ws://127.0.0.1:1/',
        'platform.topic': 't',
        'value.converter': avro,
        'value.converter.schema.registry.url':
          'http://me:hunter22@127.0.0.1:1,http://me:hunter22@127.0.0.1:2',
        'value.converter.basic.auth.user.info': 'me:hunter22',
        'value.converter.request.header.X-Key': 'hunter22',
      },
    });
    const { json } = await worker.call('GET', '/connectors/a/config');
    expect(json).toMatchObject({
      'value.converter.schema.registry.url': 'http://********@127.0.0.1:1,http://********@127.0.0.1:2',
      'value.converter.basic.auth.user.info': '********',
      'value.converter.request.header.X-Key': '********',
    });
  });
});
