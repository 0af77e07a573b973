import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NumberedFeed } from './numbered-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { stage, webSocketConfig } from './stage.ts';
import { embeddedLog, type StoredRecord } from './stored-log.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder, newFeed } = stage();
const transforms = 'org.apache.kafka.connect.transforms';

let folder: string;
let feed: NumberedFeed;
let worker: ObservedWorker;

beforeEach(async () => {
  folder = await newFolder();
  feed = await newFeed({ message: (number) => `message ${number}` });
  worker = startWorkerHere(folder, {
    'config.providers': 'file',
    'config.providers.file.class': 'org.apache.kafka.common.config.provider.FileConfigProvider',
  });
});

async function create(keys: Readonly<Record<string, string>>): Promise<void> {
  const config = webSocketConfig(feed, {
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter.schemas.enable': 'false',
    ...keys,
  });
  expect(await worker.call('POST', '/connectors', { name: 'feed', config })).toMatchObject({ status: 201 });
  await worker.untilState('feed', 'RUNNING');
  await feed.connection(1);
}

/** Waits for the records of a topic. */
async function stored(topic: string, count: number): Promise<readonly StoredRecord[]> {
  const log = embeddedLog(folder);
  await waitFor(async () => (await log.records(topic)).length >= count, { timeoutMs: 20_000 });
  return await log.records(topic);
}

describe('a connector with transformations', () => {
  it('stores what they make of each record, in the topic that they name', async () => {
    await create({
      transforms: 'source,route,wrap',
      'transforms.source.type': `${transforms}.InsertHeader`,
      'transforms.source.header': 'source',
      'transforms.source.value.literal': 'feed-7',
      'transforms.route.type': `${transforms}.RegexRouter`,
      'transforms.route.regex': '(mess)(.*)',
      'transforms.route.replacement': 'raw-$1',
      'transforms.wrap.type': `${transforms}.HoistField$Value`,
      'transforms.wrap.field': 'text',
    });
    feed.send(100);
    const records = await stored('raw-mess', 100);
    expect(records.map(({ value }) => value)).toEqual(
      Array.from({ length: 100 }, (_, number) => `{"text":"message ${number}"}`),
    );
    expect(records.every(({ headers }) => headers['source'] === 'feed-7')).toBe(true);
    const topics = await worker.call('GET', '/connectors/feed/topics');
    expect(topics.json).toEqual({ feed: { topics: ['raw-mess'] } });
    expect(await worker.attributes('feed')).toMatchObject({ RecordsProduced: 100, UnaccountedCount: 0 });
  });

  it('counts records that a filter drops as filtered, and stores the others', async () => {
    await create({
      transforms: 'route,drop',
      'transforms.route.type': `${transforms}.RegexRouter`,
      'transforms.route.regex': 'messages',
      'transforms.route.replacement': 'kept',
      'transforms.drop.type': `${transforms}.Filter`,
      'transforms.drop.predicate': 'renamed',
      'transforms.drop.negate': 'true',
      predicates: 'renamed',
      'predicates.renamed.type': `${transforms}.predicates.TopicNameMatches`,
      'predicates.renamed.pattern': 'kept',
    });
    feed.send(10);
    await stored('kept', 10);
    const change = { 'transforms.drop.negate': 'false' };
    expect((await worker.call('PATCH', '/connectors/feed/config', change)).status).toBe(200);
    await feed.connection(2);
    feed.send(10);
    await worker.untilAttribute('feed', 'DroppedFiltered', (count) => count === 10);
    expect(await worker.attributes('feed')).toMatchObject({
      MessagesReceived: 20,
      RecordsProduced: 10,
      MessagesDropped: 10,
      UnaccountedCount: 0,
    });
    expect(await stored('kept', 10)).toHaveLength(10);
    expect(worker.logged('record_dropped')).toEqual([]);
  });

  it('drops, counts and logs records that fail with errors.tolerance=all', async () => {
    await create({
      transforms: 'extract',
      'transforms.extract.type': `${transforms}.ExtractField$Value`,
      'transforms.extract.field': 'price',
      'errors.tolerance': 'all',
      'errors.log.enable': 'true',
      'errors.log.include.messages': 'true',
    });
    feed.send(3);
    await worker.untilAttribute('feed', 'DroppedConversionError', (count) => count === 3);
    await waitFor(() => worker.logged('record_failed').length === 3);
    expect(worker.logged('record_failed')[0]).toMatchObject({
      stage: 'TRANSFORMATION',
      class: `${transforms}.ExtractField$Value`,
      reason: 'Only Struct objects supported for [field extraction], found: java.lang.String',
      record: expect.stringContaining('value=message 0'),
    });
    const metrics = await worker.call('GET', '/metrics');
    expect(metrics.text).toContain(
      'kafka_connect_task_error_total_records_skipped{connector="feed",task="0"} 3',
    );
    expect(await worker.attributes('feed')).toMatchObject({ UnaccountedCount: 0 });
  });

  it('fails without tolerance, with the message of Kafka Connect and the cause', async () => {
    await create({
      transforms: 'extract',
      'transforms.extract.type': `${transforms}.ExtractField$Value`,
      'transforms.extract.field': 'price',
    });
    feed.send(1);
    const trace = await worker.untilTask('feed', 'FAILED');
    expect(trace).toMatch(
      /^org\.apache\.kafka\.connect\.errors\.ConnectException: Tolerance exceeded in error handler\n/,
    );
    expect(trace).toContain(
      'Caused by: org.apache.kafka.connect.errors.DataException: Only Struct objects supported for [field extraction]',
    );
  });

  it('uses what config providers have, and shows the reference', async () => {
    await writeFile(join(folder, 'feed.properties'), 'tenant=blue\n');
    const reference = `\${file:${join(folder, 'feed.properties')}:tenant}`;
    await create({
      transforms: 'tenant',
      'transforms.tenant.type': `${transforms}.InsertHeader`,
      'transforms.tenant.header': 'tenant',
      'transforms.tenant.value.literal': reference,
    });
    feed.send(1);
    expect((await stored('messages', 1))[0]?.headers['tenant']).toBe('blue');
    const config = await worker.call('GET', '/connectors/feed/config');
    expect(config.json).toMatchObject({ 'transforms.tenant.value.literal': reference });
  });

  it('is shown with its literal secrets masked, and lists the classes that there are', async () => {
    await create({
      transforms: 'mask',
      'transforms.mask.type': `${transforms}.InsertHeader`,
      'transforms.mask.header': 'authorization',
      'transforms.mask.value.literal': 'canary-4711',
      'secret.keys': 'transforms.mask.value.literal',
    });
    const config = await worker.call('GET', '/connectors/feed/config');
    expect(config.json).toMatchObject({ 'transforms.mask.value.literal': '********' });
    const plugins = await worker.call('GET', '/connector-plugins?connectorsOnly=false');
    const types = (plugins.json as readonly { readonly type: string }[]).map(({ type }) => type);
    expect(types.filter((type) => type === 'transformation')).toHaveLength(26);
    expect(types.filter((type) => type === 'predicate')).toHaveLength(3);
  });
});
