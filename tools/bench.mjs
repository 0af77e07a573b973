// Runs a benchmark by name: `npm run bench -- websocket`. Without a name, lists them.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('{packages,tools}/*/bench/*.bench.ts', { cwd: root });
const byName = new Map(files.map((file) => [basename(file, '.bench.ts'), file]));

const [name, ...args] = process.argv.slice(2).filter((arg) => arg !== '--');
const file = byName.get(name ?? '');
if (file === undefined) {
  process.stdout.write(
    `benchmarks: ${[...byName.keys()].sort().join(', ')}\nrun one with "npm run bench -- <name>"\n`,
  );
  process.exitCode = name === undefined ? 0 : 2;
} else {
  const result = spawnSync(process.execPath, [root + file, ...args], { stdio: 'inherit' });
  process.exitCode = result.status ?? 1;
}
