// Runs a script of the root package.json with the project's own tools: installs what the lockfile names (pnpm, Node 24)
// and hands over. Works with any Node from 20 on, in a fresh clone, with nothing but npm on the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PNPM = 'pnpm@12.18.0';

function run(command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  if (result.error) throw result.error;
  if (result.signal) process.kill(process.pid, result.signal);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** The install is up to date when pnpm's own record of it is younger than the lockfile. */
function installed() {
  const record = `${root}/node_modules/.modules.yaml`;
  if (!existsSync(record) || !existsSync(`${root}/node_modules/.bin/pnpm`)) return false;
  return statSync(record).mtimeMs >= statSync(`${root}/pnpm-lock.yaml`).mtimeMs;
}

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  process.stderr.write('usage: node tools/with-toolchain.mjs <script of package.json> [arguments]\n');
  process.exit(2);
}
if (!installed()) run('npx', ['-y', PNPM, 'install', '--frozen-lockfile']);
run(`${root}/node_modules/.bin/pnpm`, ['run', script, ...args]);
