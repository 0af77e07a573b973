import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { collect, text } from '../test/records.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { openEmbeddedPlatform } from './open-embedded-platform.ts';

const ROUNDS = 6;
const writer = fileURLToPath(new URL('../test/acknowledging-writer.ts', import.meta.url));

/** Records that a writer reported as stored before it was killed. */
interface Acknowledged {
  last: number;
  readonly keys: Map<string, number>;
}

async function writeAndKill(folder: string, first: number, acknowledged: Acknowledged): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [writer, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killAfter = 1 + Math.floor(Math.random() * 150);
  let acknowledgements = 0;
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [kind, name = '', value = ''] = line.split(' ');
    if (kind === 'records') acknowledged.last = Math.max(acknowledged.last, Number(name));
    if (kind === 'key')
      acknowledged.keys.set(name, Math.max(Number(value), acknowledged.keys.get(name) ?? 0));
    // not before the first: a log without records may lack the topic
    if (kind !== 'open') acknowledgements += 1;
    if (acknowledgements === killAfter) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
}

describe('a process that is killed while it writes', () => {
  it('a killed process leaves every acknowledged record in the log, once and in order, and the folder unlocked', async () => {
    using folder = temporaryFolder();
    const acknowledged: Acknowledged = { last: -1, keys: new Map() };
    let first = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await writeAndKill(folder.path, first, acknowledged);
      const platform = await openEmbeddedPlatform({ folder: folder.path });
      const stored = await collect(platform.reader().read({ topic: 'numbers' }));
      const numbers = stored.map((one) => Number.parseInt(text(one.value) ?? '', 10));
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i));
      expect(numbers.length).toBeGreaterThan(acknowledged.last);
      const latest = new Map<string, number>();
      for (const one of await collect(platform.reader().read({ topic: 'map' }))) {
        latest.set(text(one.key)?.slice(4) ?? '', Number(text(one.value)));
      }
      for (const [key, value] of acknowledged.keys) expect(latest.get(key)).toBeGreaterThanOrEqual(value);
      first = numbers.length;
      await platform.close();
    }
  }, 60_000);
});
