// Checks what operators deploy with: `check.mjs [part...]`, by default all. With --update it writes what the
// chart makes of the cases. With --built it builds neither Helm nor kubectl-validate, which takes minutes of CPU time,
// once for a user.
import { checkChart } from './chart.mjs';
import { checkCompose } from './compose.mjs';
import { checkProxies } from './proxies.mjs';
import { checkSchemas } from './schemas.mjs';
import { checkUnit } from './systemd.mjs';

const checks = {
  chart: checkChart,
  schemas: checkSchemas,
  compose: checkCompose,
  proxies: checkProxies,
  systemd: checkUnit,
};

const update = process.argv.includes('--update');
const builds = !process.argv.includes('--built');
const words = process.argv.slice(2).filter((word) => !['--update', '--built'].includes(word));
const unknown = words.filter((word) => checks[word] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}\n`);
  process.exit(2);
}
const parts = words.length === 0 ? Object.keys(checks) : words;
const problems = [];
for (const part of parts) {
  try {
    problems.push(...(await checks[part]({ update, builds })).map((problem) => `${part}: ${problem}`));
  } catch (failed) {
    problems.push(`${part}: ${failed.message}`);
  }
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`deployment: ${parts.join(', ')}\n`);
