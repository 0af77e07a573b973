import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';

const execute = promisify(execFile);
const here = fileURLToPath(new URL('..', import.meta.url));
const esbuild = fileURLToPath(new URL('../../../node_modules/.bin/esbuild', import.meta.url));

/** Also as CommonJS, which has no top-level await. */
const service = `
  import { pipe } from '@levada/connect-runtime-core';
  import { fakeSource } from '@levada/connect-runtime-core/testing';
  import { kafkaOffsets, kafkaSink } from '@levada/platform-kafka';
  const [, , bootstrap, topic, compression] = process.argv;
  const offsets = kafkaOffsets({ bootstrap, topic: topic + '-offsets' });
  const records = [{ value: 'one', sourcePartition: { feed: 'f' }, sourceOffset: { at: 1 } }];
  const source = fakeSource({ topic, records, offsets });
  source.feed.end();
  pipe(source, kafkaSink({ bootstrap, compression })).done.then((report) => console.log(JSON.stringify(report)));
`;

describeWithSharedBroker('a service with the Kafka sink in one file', {}, (broker) => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'levada-bundle-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['esm', 'mjs', 'zstd'],
    ['cjs', 'cjs', 'gzip'],
  ])('the bundle needs no other files, as %s', async (format, extension, compression) => {
    const topic = `bundled-${format}`;
    await createTopic(broker(), topic);
    const file = join(folder, `service.${extension}`);
    const words = [
      '--bundle',
      '--platform=node',
      '--target=node22',
      `--format=${format}`,
      `--outfile=${file}`,
    ];
    const bundling = execute(esbuild, [...words, '--log-level=warning'], { cwd: here });
    bundling.child.stdin?.end(service);
    expect((await bundling).stderr).toBe('');
    const run = await execute(process.execPath, [file, broker().bootstrap, topic, compression], {
      cwd: folder,
    });
    expect(run).toEqual({ stdout: '{"delivered":1,"undelivered":0}\n', stderr: '' });
    const [stored] = await readTopic(broker(), topic, { count: 1 });
    expect(stored?.value?.toString()).toBe('one');
  });
});
