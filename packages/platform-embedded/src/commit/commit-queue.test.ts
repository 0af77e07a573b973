import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventLog } from '@levada/connect-runtime-core';
import { createManualClock, createRecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { bytes, collect, record, text } from '../../test/records.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { folderLayout } from '../folder/folder-layout.ts';
import { type Database, openDatabase } from '../folder/sqlite.ts';
import { embeddedLogEvents } from '../model/log-events.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';
import { CommitLink } from './commit-link.ts';
import { CommitQueue } from './commit-queue.ts';

/** Holds the file's write lock, as another tool might: storing fails until it is released. */
async function blocker(folder: string): Promise<Database> {
  const database = await openDatabase(folderLayout(folder).log);
  database.exec('BEGIN IMMEDIATE');
  return database;
}

describe('a log whose thread has ended', () => {
  it('the end of the thread is reported at once, and later records fail', async () => {
    const clock = createManualClock();
    const logger = createRecordingLogger();
    const link = new CommitLink();
    const events = eventLog(embeddedLogEvents, logger, clock);
    const queue = new CommitQueue({ link, clock, events, onCommitted: () => undefined });
    queue.start();
    expect(queue.health).toEqual({ status: 'ok' });
    await link.terminate();
    await link.ended;
    const reason = 'the thread of the embedded log ended';
    expect(queue.health).toMatchObject({ status: 'away', reason });
    const delivery = queue.begin(1, 1000);
    queue.append([record('t', 'x')], delivery, () => ({ log: 1, compacted: false }));
    queue.submit(delivery);
    expect((await delivery.result).failures).toMatchObject([{ index: 0, error: { code: 'internal' } }]);
    expect(logger.withEvent('embedded_log_failed')).toHaveLength(1);
    queue.stop();
  });

  it('a requested end of the thread is not a failure', async () => {
    using folder = temporaryFolder();
    const logger = createRecordingLogger();
    const platform = await openEmbeddedPlatform({ folder: folder.path, logger });
    await platform.close();
    expect(logger.withEvent('embedded_log_failed')).toEqual([]);
    expect(platform.health()).toEqual({ status: 'ok' });
  });
});

describe('a log that cannot store at the moment', () => {
  it('a log that cannot store is down and acknowledges nothing, then resumes without losing or repeating records', async () => {
    using folder = temporaryFolder();
    const logger = createRecordingLogger();
    const platform = await openEmbeddedPlatform({ folder: folder.path, logger });
    const producer = await platform.producer({ clientId: 'test' });
    await producer.send([record('t', '0')]);
    const held = await blocker(folder.path);
    let settled = 0;
    const sends = Array.from({ length: 20 }, (_, i) =>
      producer.send([record('t', String(i + 1))]).then((result) => {
        settled += 1;
        return result;
      }),
    );
    await waitFor(() => platform.health().status === 'away');
    expect(platform.health()).toMatchObject({ reason: expect.stringContaining('database is locked') });
    expect(settled).toBe(0);
    expect(await collect(platform.reader().read({ topic: 't' }))).toHaveLength(1);
    held.close();
    expect((await Promise.all(sends)).every((result) => result.stored === 1)).toBe(true);
    const stored = await collect(platform.reader().read({ topic: 't' }));
    expect(stored.map((one) => text(one.value))).toEqual(Array.from({ length: 21 }, (_, i) => String(i)));
    expect(platform.health()).toEqual({ status: 'ok' });
    expect(logger.withEvent('embedded_log_degraded')).toHaveLength(1);
    expect(logger.withEvent('embedded_log_recovered')).toHaveLength(1);
    await platform.close();
  });

  it('records are given up after the delivery timeout, topics never', async () => {
    using folder = temporaryFolder();
    const clock = createManualClock();
    const platform = await openEmbeddedPlatform({ folder: folder.path, clock });
    const held = await blocker(folder.path);
    const producer = await platform.producer({
      clientId: 'test',
      overrides: { 'delivery.timeout.ms': '10000' },
    });
    const given = producer.send([record('t', 'given up'), record('t', 'x', { partition: 9 })]);
    await waitFor(() => platform.health().status === 'away');
    let done = false;
    const result = given.finally(() => {
      done = true;
    });
    await waitFor(async () => {
      await clock.advance(1000);
      return done;
    });
    const { stored, failures } = await result;
    expect(stored).toBe(0);
    expect(failures.map(({ index, error }) => [index, error.code])).toEqual([
      [0, 'delivery_timeout'],
      [1, 'record_rejected'],
    ]);
    held.close();
    // A timeout that a slow disk does not reach while the clock runs ahead
    const patient = await platform.producer({ clientId: 'patient', overrides: {} });
    const next = patient.send([record('t', 'later')]);
    await waitFor(async () => {
      await clock.advance(1000);
      return platform.health().status === 'ok';
    });
    expect((await next).stored).toBe(1);
    const found = await collect(platform.reader().read({ topic: 't' }));
    expect(found.map((one) => text(one.value)).at(-1)).toBe('later');
    await platform.close();
  });

  it('close ends in time, and pending records fail with "closed"', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const map = await platform.compactedLog({
      topic: { name: 'map', partitions: 1 },
      configKey: 'config.storage.topic',
      clientId: 'test',
      onRecord: () => undefined,
    });
    const producer = await platform.producer({ clientId: 'test' });
    const held = await blocker(folder.path);
    const sent = producer.send([record('t', 'x')]);
    const put = map.put(bytes('k'), bytes('v')).catch((thrown: unknown) => thrown);
    await Promise.all([platform.close({ timeoutMs: 50 }), platform.close()]);
    expect((await sent).failures).toMatchObject([{ index: 0, error: { code: 'closed' } }]);
    expect(await put).toMatchObject({ code: 'closed' });
    held.close();
    await expect(platform.createTopics([{ name: 'u' }])).rejects.toMatchObject({ code: 'closed' });
    await expect(platform.producer({ clientId: 'late' })).rejects.toMatchObject({ code: 'closed' });
  });

  it('the process stays alive only while a send is pending', async () => {
    using folder = temporaryFolder();
    const first = await openEmbeddedPlatform({ folder: folder.path });
    await first.close();
    const held = await blocker(folder.path);
    const opener = new URL('../open-embedded-platform.ts', import.meta.url);
    const code = `
      import { openEmbeddedPlatform } from ${JSON.stringify(opener.href)};
      const platform = await openEmbeddedPlatform({ folder: ${JSON.stringify(folder.path)} });
      const sent = platform.createTopics([{ name: 't' }]).catch((error) => error.code);
      setTimeout(() => platform.close({ timeoutMs: 300 }), 1500);
      console.log(await sent);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(String(chunk)));
    // Its output may still be unread at its exit
    const [status] = await once(child, 'close');
    expect([status, output.join('')]).toEqual([0, 'closed\n']);
    held.close();
  });
});
