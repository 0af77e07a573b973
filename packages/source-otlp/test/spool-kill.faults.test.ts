import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendedTogether, readNumberedEntry } from './spool-entries.ts';
import { open, spoolFolder, takeAll } from './spool-folder.ts';

const KILLS = 30;
const WRITERS = 16;
const writer = fileURLToPath(new URL('./spool-writer.ts', import.meta.url));

/** Lets writers append until so many appends are acknowledged, and kills them. Entries that were acknowledged, by writer. */
async function writeAndKill(
  folder: string,
  run: number,
  acknowledgements: number,
): Promise<readonly number[]> {
  const child = spawn(process.execPath, [writer, folder, String(WRITERS), String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kept = Array.from({ length: WRITERS }, () => 0);
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [by = 0, first = 0, count = 0] = line.split(' ').map(Number);
    if (line !== 'open') kept[by] = first + count;
    lines += 1;
    if (lines === acknowledgements) child.kill('SIGKILL');
  }
  if (child.signalCode === null && child.exitCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return kept;
}

/** Whether a writer's appends end where one of them does. */
function endsWhole(writer: number, end: number): boolean {
  let number = 0;
  while (number < end) number += appendedTogether({ writer, number });
  return number === end;
}

describe('a process that is killed while it appends', () => {
  it(`a killed process leaves every acknowledged entry, whole and in order (${KILLS} times)`, async () => {
    using folder = spoolFolder();
    const counts = fc.sample(fc.integer({ min: 1, max: 600 }), { numRuns: KILLS, seed: 20_261_121 });
    let lastPlace = -1;
    for (const [run, count] of counts.entries()) {
      const kept = await writeAndKill(folder.path, run, count);
      const spool = await open(folder, { maxBytes: 100_000_000 });
      const next = Array.from({ length: WRITERS }, () => 0);
      const taken = await takeAll(spool);
      for (const { place, bytes } of taken) {
        expect(place).toBeGreaterThan(lastPlace);
        lastPlace = place;
        const entry = readNumberedEntry(bytes);
        expect(entry).toMatchObject({ run, number: next[entry?.writer ?? 0] });
        next[entry?.writer ?? 0] = (entry?.number ?? 0) + 1;
      }
      expect(
        next.every((reached, i) => reached >= (kept[i] ?? 0)),
        `entries ${next.join()}, acknowledged ${kept.join()}`,
      ).toBe(true);
      expect(next.every((reached, i) => endsWhole(i, reached))).toBe(true);
      expect(spool.recovery).toMatchObject({ entries: taken.length, damagedEntries: 0 });
      spool.commit(taken.map(({ place }) => place));
      await spool.close();
    }
  }, 240_000);
});
