// Workflows are checked by actionlint, which knows their syntax, expressions, actions and their inputs. It is built once, from its Go
// module, into the user's cache.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'v1.7.7';

/** Problems of workflow files, one text each; undefined, with a line that says so, where there is no Go to build it with. */
export function lintWorkflows(files, { cwd }) {
  const program = actionlint();
  if (program === undefined) {
    process.stdout.write('workflows were not linted: actionlint needs Go 1.23 or newer\n');
    return process.env.CI === 'true' ? ['actionlint: no Go was found'] : [];
  }
  const { status, stdout, stderr } = spawnSync(program, ['-no-color', '-oneline', ...files], {
    cwd,
    encoding: 'utf8',
  });
  return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n');
}

function actionlint() {
  const folder = join(homedir(), '.cache/levada', `actionlint-${VERSION}`);
  const program = join(folder, 'actionlint');
  if (existsSync(program)) return program;
  if (spawnSync('go', ['version']).error !== undefined) return undefined;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  execFileSync('go', ['install', `github.com/rhysd/actionlint/cmd/actionlint@${VERSION}`], {
    env: { ...process.env, GOBIN: unfinished, GOFLAGS: '', CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 400_000,
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return program;
}
