import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuiltProgram, buildFolder, builtFolder } from './build-folder.ts';

const run = promisify(execFile);
const BUILD_LIMIT_MS = 900_000;
const FLAGS = ['-trimpath', '-mod=readonly', '-buildvcs=false', '-ldflags=-s -w'];
/** A build without optimisation takes two thirds of the time. */
const QUICK = '-gcflags=all=-N -l';

/** A program in Go. */
export interface GoSources {
  /** Its module. */
  readonly folder: string;
  /** Minor version of Go that go.mod needs. */
  readonly oldest: number;
  /** What it is, for the line that says why it cannot be made. */
  readonly what: string;
  /** Whether it is measured, and so built with optimisation. Default: false. */
  readonly optimized?: boolean;
}

/** Builds a program the first time it is needed on a machine, with its modules from Go's module proxy. */
export function goBuild({ folder, oldest, what, optimized = false }: GoSources): BuiltProgram {
  return {
    unavailable: () => {
      if (existsSync(builtFolder(folder))) return undefined;
      const go = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', cwd: folder });
      const needed = `no ${what} in Go: Go 1.${oldest} or newer is needed`;
      if (go.error !== undefined) return `${needed}, none was found`;
      const minor = Number(/^go1\.(\d+)/.exec(go.stdout)?.[1]);
      return minor >= oldest ? undefined : `${needed}, found "${go.stdout.trim()}"`;
    },
    command: async () => {
      const built = await buildFolder(folder, async (output) => {
        await run(
          'go',
          ['build', ...FLAGS, ...(optimized ? [] : [QUICK]), '-o', join(output, 'program'), '.'],
          {
            cwd: folder,
            timeout: BUILD_LIMIT_MS,
            env: { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
          },
        );
      });
      return [join(built, 'program')];
    },
  };
}
