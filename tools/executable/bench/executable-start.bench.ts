// How long the single executable takes to print its version: `npm run build:executable`, then `npm run bench -- executable-start`.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RUNS = 20;
const GOAL_MS = 300;

const levada = fileURLToPath(new URL(`../dist/bin/levada-linux-${process.arch}`, import.meta.url));
if (!existsSync(levada)) throw new Error(`${levada} is missing: run "npm run build:executable" first`);
const took = Array.from({ length: RUNS }, () => {
  const before = performance.now();
  execFileSync(levada, ['--version'], { env: {} });
  return performance.now() - before;
}).sort((a, b) => a - b);
const at = (share: number): number => Math.round(took[Math.floor(share * (RUNS - 1))] ?? Number.NaN);
const median = at(0.5);
process.stdout.write(
  `levada --version: median ${median} ms, ${at(0)} to ${at(1)} ms in ${RUNS} runs; goal ${GOAL_MS} ms ${median < GOAL_MS ? 'met' : 'missed'}\n`,
);
