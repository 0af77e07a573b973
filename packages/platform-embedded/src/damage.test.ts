import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isConnectorError } from '@levada/connect-runtime-core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text } from '../test/records.ts';
import { type TemporaryFolder, temporaryFolder } from '../test/temporary-folder.ts';
import { openEmbeddedPlatform } from './open-embedded-platform.ts';

const writer = fileURLToPath(new URL('../test/acknowledging-writer.ts', import.meta.url));

const answers: ReadonlySet<string> = new Set(['log_corrupt', 'topic_unavailable']);

/** The folder of a killed process: most of its records are still in the write-ahead log. */
async function killedWriter(): Promise<TemporaryFolder> {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [writer, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  for await (const _ of createInterface({ input: child.stdout })) {
    lines += 1;
    if (lines === 400) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  return folder;
}

/** Reads as many records as possible. Every record must be correct and in order, until the end or a clear error. */
async function readAll(folder: string): Promise<number> {
  let read = 0;
  try {
    const platform = await openEmbeddedPlatform({ folder });
    try {
      for await (const record of platform.reader().read({ topic: 'numbers' })) {
        expect(text(record.value)).toBe(`${read} ${'x'.repeat(read % 500)}`);
        read += 1;
      }
    } finally {
      await platform.close();
    }
  } catch (thrown) {
    // the topic is unknown if its creation was in the lost part of the write-ahead log
    if (!isConnectorError(thrown) || !answers.has(thrown.code)) throw thrown;
  }
  return read;
}

const damage = fc.record({
  file: fc.constantFrom('log.db', 'log.db-wal'),
  kind: fc.constantFrom('flip', 'cut', 'zero'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

function apply(folder: string, { file, kind, at }: { file: string; kind: string; at: number }): void {
  const path = join(folder, file);
  const content = readFileSync(path);
  const offset = Math.floor(at * content.length);
  if (kind === 'cut') {
    truncateSync(path, offset);
    return;
  }
  if (kind === 'zero') content.fill(0, offset, Math.min(offset + 512, content.length));
  else content[offset] = (content[offset] ?? 0) ^ 0x10;
  writeFileSync(path, content);
}

describe('a damaged log', () => {
  it('a damaged log opens or is refused, and never returns a wrong record', async () => {
    using original = await killedWriter();
    using copy = temporaryFolder();
    cpSync(original.path, copy.path, { recursive: true });
    expect(await readAll(copy.path)).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(damage, async (harm) => {
        rmSync(copy.path, { recursive: true });
        cpSync(original.path, copy.path, { recursive: true });
        apply(copy.path, harm);
        await readAll(copy.path);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 120_000);
});
