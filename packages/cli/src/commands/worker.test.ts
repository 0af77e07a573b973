import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(text: string) {
  const file = join(folder, 'worker.properties');
  await writeFile(file, text);
  return runCommand(['worker', 'check-config', file]);
}

describe('levada worker check-config', () => {
  it('says of a valid file what it would start', async () => {
    const { code, out } = await check('listeners=http://127.0.0.1:8083\n');
    expect(code).toBe(0);
    expect(out).toMatch(/worker\.properties is valid: embedded storage, group levada\n$/);
  });

  it('prints every problem at once and ends with 1', async () => {
    const { code, err } = await check('offset.flush.interval.ms=soon\nlisteners=ftp://x\n');
    expect(code).toBe(1);
    expect(err).toContain('offset.flush.interval.ms');
    expect(err).toContain('listeners');
  });

  it('takes a misspelt key for a problem and names the nearest one', async () => {
    const { code, err } = await check('listners=http://127.0.0.1:8083\n');
    expect(code).toBe(1);
    expect(err).toContain('listners is not a worker key, did you mean listeners?');
  });

  it('names a file that cannot be read', async () => {
    const { code, err } = await runCommand(['worker', 'check-config', join(folder, 'missing.properties')]);
    expect(code).toBe(1);
    expect(err).toContain('missing.properties');
  });
});
