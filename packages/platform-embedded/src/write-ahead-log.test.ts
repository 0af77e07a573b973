import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { collect, record } from '../test/records.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { openEmbeddedPlatform } from './open-embedded-platform.ts';

const MIB = 1024 * 1024;

describe('the write-ahead log', () => {
  it('the write-ahead log stays below 12 MiB while small batches are stored', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    for (let sent = 0; sent < 500; sent += 1) await producer.send([record('t', `${sent}`)]);
    expect(statSync(join(folder.path, 'log.db-wal')).size).toBeLessThan(12 * MIB);
    await platform.close();
  });

  it('the write-ahead log is emptied after five quiet seconds without losing records', async () => {
    using folder = temporaryFolder();
    const clock = createManualClock();
    const platform = await openEmbeddedPlatform({ folder: folder.path, clock });
    const producer = await platform.producer({ clientId: 'test' });
    for (let sent = 0; sent < 50; sent += 1) await producer.send([record('t', `${sent}`)]);
    const wal = (): number => statSync(join(folder.path, 'log.db-wal')).size;
    expect(wal()).toBeGreaterThan(MIB);
    await waitFor(async () => {
      await clock.advance(5000);
      return wal() === 0;
    });
    await producer.send([record('t', 'last')]);
    expect(await collect(platform.reader().read({ topic: 't' }))).toHaveLength(51);
    await platform.close();
  });

  it('the write-ahead log is not emptied while another process reads, and commits do not wait for it', async () => {
    using folder = temporaryFolder();
    const clock = createManualClock();
    const platform = await openEmbeddedPlatform({ folder: folder.path, clock });
    const producer = await platform.producer({ clientId: 'test' });
    for (let sent = 0; sent < 50; sent += 1) await producer.send([record('t', `${sent}`)]);
    const reader = new DatabaseSync(join(folder.path, 'log.db'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM batch').get();
    const wal = (): number => statSync(join(folder.path, 'log.db-wal')).size;
    const full = wal();
    const begun = performance.now();
    // Each quiet time tries to empty it
    for (let quiet = 0; quiet < 5; quiet += 1) {
      await clock.advance(5000);
      await producer.send([record('t', 'more')]);
    }
    // A commit after a waiting attempt takes 1 s, others take milliseconds
    expect(performance.now() - begun).toBeLessThan(4000);
    expect(wal()).toBeGreaterThanOrEqual(full);
    reader.close();
    await waitFor(async () => {
      await clock.advance(5000);
      return wal() === 0;
    });
    await platform.close();
  });
});
