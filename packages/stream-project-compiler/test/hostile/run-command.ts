import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandRun, measureCommand } from '../../bench/measure-command.ts';
import type { HostileCase } from './hostile-case.ts';
import { writeProject } from './write-project.ts';

/** Writes a hostile project, and runs the real command on it. */
export async function runCommand({
  entries,
  environment = {},
}: Pick<HostileCase, 'entries' | 'environment'>): Promise<CommandRun> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-hostile-'));
  try {
    writeProject(folder, entries());
    return await measureCommand(folder, { environment });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
