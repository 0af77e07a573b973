import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';

const run = promisify(execFile);
const writer = fileURLToPath(new URL('../test/limited-writer.ts', import.meta.url));
const idle = fileURLToPath(new URL('../test/limited-idle.ts', import.meta.url));
const missing = spawnSync('prlimit', ['--version']).error !== undefined;

describe.skipIf(missing)('a file that cannot grow (needs prlimit of Linux)', () => {
  it('a log on a full disk acknowledges nothing, stays readable, and later stores everything once and in order', async () => {
    using folder = temporaryFolder();
    const { stdout } = await run(process.execPath, [writer, folder.path]);
    const { before, readable, ...after } = JSON.parse(stdout) as { before: number; readable: number };
    expect(before).toBeLessThan(5000);
    expect(readable).toBe(before);
    expect(after).toEqual({ acknowledged: 5000, stored: 5000, inOrder: true, status: 'ok' });
  }, 30_000);

  it('a log stays down until the disk can be written, even if nothing is left to write', async () => {
    using folder = temporaryFolder();
    const { stdout } = await run(process.execPath, [idle, folder.path]);
    expect(JSON.parse(stdout)).toEqual({
      failures: ['delivery_timeout'],
      afterEmptyCommit: 'away',
      afterwards: 'ok',
      lines: [
        'embedded_log_opened',
        'embedded_log_topic_created',
        'embedded_log_degraded',
        'embedded_log_recovered',
      ],
    });
  }, 30_000);
});
