// Checks what operators deploy with: `check.mjs [part...]`, by default all.
import { checkUnit } from './systemd.mjs';

const checks = { systemd: checkUnit };

const words = process.argv.slice(2);
const unknown = words.filter((word) => checks[word] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}\n`);
  process.exit(2);
}
const parts = words.length === 0 ? Object.keys(checks) : words;
const problems = [];
for (const part of parts) {
  try {
    problems.push(...(await checks[part]()).map((problem) => `${part}: ${problem}`));
  } catch (failed) {
    problems.push(`${part}: ${failed.message}`);
  }
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`deployment: ${parts.join(', ')}\n`);
