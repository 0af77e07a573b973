import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type { LogPlatform, LogProducer } from '@levada/connect-runtime-core/platform';
import { openEmbeddedPlatform } from '@levada/platform-embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5);
let folder: string;
let platform: LogPlatform;
let producer: LogProducer;

const record = (value: string | Buffer) => ({
  topic: 'prices',
  partition: null,
  key: null,
  value: Buffer.from(value),
  timestamp: TIME,
  headers: [],
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-topic-'));
  platform = await openEmbeddedPlatform({ folder, logger: silentLogger, clock: systemClock });
  producer = await platform.producer({ clientId: 'test' });
  await producer.send([record('one'), record('two\u001b[2J'), record(Buffer.of(0xff, 0x00))]);
});
afterAll(async () => {
  await producer.close();
  await platform.close();
  await rm(folder, { recursive: true });
});

describe('levada topic', () => {
  it('lists topics with their records while a worker holds the folder', async () => {
    const { code, out } = await runCommand(['topic', 'list', '--folder', folder]);
    expect(code).toBe(0);
    expect(out).toMatch(/^NAME\s+PARTITIONS\s+RECORDS\s+BYTES\s+POLICY\nprices\s+1\s+3\s+\d+\s+delete\n$/);
  });

  it('reads records from an offset on, with control characters escaped and other bytes as base64', async () => {
    const { code, out } = await runCommand(['topic', 'read', 'prices', '--from', '1', '--folder', folder]);
    expect(code).toBe(0);
    expect(out).toBe(
      '0/1  2026-01-02T03:04:05.000Z  -  two\\u001b[2J\n0/2  2026-01-02T03:04:05.000Z  -  base64:/wA=\n',
    );
  });

  it('prints one JSON object a line', async () => {
    const { out } = await runCommand([
      'topic',
      'read',
      'prices',
      '-n',
      '1',
      '-o',
      'json',
      '--folder',
      folder,
    ]);
    expect(JSON.parse(out)).toEqual({
      topic: 'prices',
      partition: 0,
      offset: 0,
      timestamp: TIME,
      key: null,
      value: 'one',
      headers: [],
    });
  });

  it('follows a topic until it is interrupted', async () => {
    const interrupt = new AbortController();
    const first = Promise.withResolvers<void>();
    const command = runCommand(['topic', 'tail', 'prices', '-n', '1', '--folder', folder], {
      signal: interrupt.signal,
      onOut: (out) => (out.includes('later') ? interrupt.abort() : first.resolve()),
    });
    await first.promise;
    await producer.send([record('later')]);
    const { code, out } = await command;
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(2);
  });

  it('says which topics there are when there is no such topic', async () => {
    const { code, err } = await runCommand(['topic', 'read', 'nope', '--folder', folder]);
    expect(code).toBe(1);
    expect(err).toContain('there is no topic "nope"');
    expect(err).toContain('levada topic list');
  });

  it('ends with 4 when there is no log in the folder', async () => {
    const { code, err } = await runCommand(['topic', 'list', '--folder', join(folder, 'nothing')]);
    expect(code).toBe(4);
    expect(err).toContain(join(folder, 'nothing'));
  });
});
