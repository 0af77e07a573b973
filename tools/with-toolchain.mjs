// Runs a script of the root package.json with the project's own tools: installs what the lockfile names (pnpm, Node 24)
// and hands over. Works with any Node from 20 on, in a fresh clone, with nothing but npm on the machine.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PNPM = 'pnpm@12.18.0';

/** Resolves when the command ended well; otherwise this process ends as the command did. */
async function run(command, args) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  // A terminal sends Ctrl+C to the command as well: wait for what it makes of it. A SIGTERM comes to this process alone.
  const wait = () => undefined;
  const forward = () => child.kill('SIGTERM');
  process.on('SIGINT', wait).on('SIGTERM', forward);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (...end) => resolve(end));
  });
  process.off('SIGINT', wait).off('SIGTERM', forward);
  if (signal !== null) process.kill(process.pid, signal);
  if (code !== 0) process.exit(code ?? 1);
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
if (!installed()) await run('npx', ['-y', PNPM, 'install', '--frozen-lockfile']);
await run(`${root}/node_modules/.bin/pnpm`, ['run', script, ...args]);
