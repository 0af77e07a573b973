import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { cachePath } from './cache-path.ts';

/** A program of another language, made once on each machine. */
export interface BuiltProgram {
  /** Why it cannot be made here, as one line; undefined when it can. */
  readonly unavailable: () => string | undefined;
  /** The command that runs it, and its first arguments. Makes it, if it is not there yet. */
  readonly command: () => Promise<readonly [string, ...string[]]>;
}

/**
 * The folder with what is built from the sources in a folder, made once for each state of them and kept between runs. It
 * appears complete or not at all; of two processes that build at the same time, the later one's work is thrown away.
 */
export async function buildFolder(
  sources: string,
  build: (folder: string) => Promise<void>,
  variant = '',
): Promise<string> {
  const built = builtFolder(sources, variant);
  if (existsSync(built)) return built;
  await mkdir(dirname(built), { recursive: true });
  const folder = await mkdtemp(`${built}-`);
  try {
    await build(folder);
    await rename(folder, built).catch((error: unknown) => {
      if (!existsSync(built)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return built;
}

/** Where {@link buildFolder} puts it. `variant` distinguishes what is made of the same sources. */
export function builtFolder(sources: string, variant = ''): string {
  const hash = createHash('sha256').update(variant);
  for (const file of globSync('*', { cwd: sources }).toSorted())
    hash.update(readFileSync(join(sources, file)));
  return cachePath('test-peers', `${basename(sources)}-${hash.digest('hex').slice(0, 16)}`);
}
