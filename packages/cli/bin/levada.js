#!/usr/bin/env -S node --disable-proto=delete --disallow-code-generation-from-strings --max-semi-space-size=8
// Loads nothing before the version is checked, and is written so that old versions of Node can read it.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = engines.node.replace('>=', '');
const numbers = (version) => version.split('.').map(Number);
const [major, minor] = numbers(process.versions.node);
const [neededMajor, neededMinor] = numbers(needed);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(`levada needs Node ${needed} or newer, and this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  // Node 22 calls SQLite experimental; what is used of it has not changed since.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental')) emitWarning(warning, ...rest);
  };
  const { run } = await import('../dist/main.js');
  process.exitCode = await run(process.argv.slice(2));
}
