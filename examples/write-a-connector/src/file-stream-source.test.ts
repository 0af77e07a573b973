import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MetricGroup, type SourceOffset, silentLogger, systemClock } from '@levada/connect-runtime-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileStreamSourceConnector } from './file-stream-source.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-file-'));
  file = join(folder, 'input.txt');
});
afterEach(() => rm(folder, { recursive: true }));

async function startTask(more: Record<string, string> = {}, stored?: SourceOffset) {
  const task = fileStreamSourceConnector.createTask();
  const config = fileStreamSourceConnector.config.parse({ file, topic: 'lines', ...more });
  await task.start(config, {
    connectorName: 'files',
    taskId: 0,
    logger: silentLogger,
    metrics: new MetricGroup({}),
    offsets: { offset: async () => stored },
    clock: systemClock,
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  return task;
}

describe('file stream source', () => {
  it('returns each complete line with the byte position after it', async () => {
    await writeFile(file, 'one\ntwé\r\npart');
    const task = await startTask();
    const records = await task.poll();
    expect(records.map((record) => [record.value, record.sourceOffset])).toEqual([
      ['one', { position: 4 }],
      ['twé', { position: 10 }],
    ]);
    expect(records[0]).toMatchObject({ topic: 'lines', key: null, sourcePartition: { filename: file } });
    await appendFile(file, 'ial\n');
    expect((await task.poll()).map((record) => record.value)).toEqual(['partial']);
    await task.stop();
    expect(await task.poll()).toEqual([]);
  });

  it('resumes after the last committed line', async () => {
    await writeFile(file, 'one\ntwo\nthree\n');
    const task = await startTask({}, { position: 4 });
    expect((await task.poll()).map((record) => record.value)).toEqual(['two', 'three']);
    await task.stop();
  });

  it.each([{ position: 'x' }, { position: -1 }, { position: 1.5 }, { position: null }, {}])(
    'does not start from the stored offset %j, which is no place in a file',
    async (stored: SourceOffset) => {
      const message = `the stored offset ${JSON.stringify(stored)} has no "position" that is a number of bytes`;
      await expect(startTask({}, stored)).rejects.toThrow(message);
    },
  );

  it('hands out at most batch.size lines at a time', async () => {
    await writeFile(file, 'a\nb\nc\n');
    const task = await startTask({ 'batch.size': '2' });
    expect((await task.poll()).length).toBe(2);
    expect((await task.poll()).length).toBe(1);
    await task.stop();
  });

  it('waits for a file that does not exist yet', async () => {
    const task = await startTask();
    const polled = task.poll();
    await writeFile(file, 'late\n');
    expect((await polled).map((record) => record.value)).toEqual(['late']);
    await task.stop();
  });

  it('reports a missing topic with the words of Kafka Connect', () => {
    const errors = fileStreamSourceConnector.config.validate({ file }).flatMap((value) => value.errors);
    expect(errors).toEqual(['Missing required configuration "topic" which has no default value.']);
  });

  it.each([
    [{ offset: {} }, "Offset objects should either be null or contain the key 'position'"],
    [
      { offset: { position: 'x' } },
      "The value for the 'position' key in the offset is expected to be a Long value",
    ],
    [
      { offset: { position: -1 } },
      "The value for the 'position' key in the offset should be a non-negative value",
    ],
    [{ offset: { position: 1 }, partition: {} }, "Partition objects should contain the key 'filename'"],
    [{ offset: { position: 1 }, partition: null }, 'Partition objects cannot be null'],
  ])('refuses to change offsets to %j', (change, message) => {
    const partition = { filename: '/x' };
    expect(() =>
      fileStreamSourceConnector.alterOffsets?.({ file, topic: 't' }, [{ partition, ...change }]),
    ).toThrow(message);
  });

  it('accepts a position for a file, and forgetting one', () => {
    const partition = { filename: '/x' };
    const changes = [
      { partition, offset: { position: 3 } },
      { partition, offset: null },
    ];
    expect(fileStreamSourceConnector.alterOffsets?.({ file, topic: 't' }, changes)).toBe(true);
  });
});
