#!/usr/bin/env node
// Loads nothing before the version is checked, and is written so that old versions of Node can read it.
import { readFileSync } from 'node:fs';

/** Not in the first line: `env` of BusyBox (Alpine) takes one word there. */
const flags = [
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  '--max-semi-space-size=8',
];

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = engines.node.replace('>=', '');
const numbers = (version) => version.split('.').map(Number);
const [major, minor] = numbers(process.versions.node);
const [neededMajor, neededMinor] = numbers(needed);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(`levada needs Node ${needed} or newer, and this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
} else if (!(await continueWithFlags())) {
  // Node 22 calls SQLite experimental; what is used of it has not changed since.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental')) emitWarning(warning, ...rest);
  };
  const { run } = await import('../dist/main.js');
  process.exitCode = await run(process.argv.slice(2));
}

/**
 * Starts Node again with the flags that it was not started with, in place of this process; false: it has them, or needs none, because
 * what was asked for reads nothing that others have written.
 */
async function continueWithFlags() {
  const words = process.argv.slice(2);
  if (words.length === 0 || /^(?:help|completion|complete-words)$/.test(words[0])) return false;
  if (words.some((word) => /^(?:-h|--help|-V|--version)$/.test(word))) return false;
  const nameOf = (flag) => flag.split('=')[0];
  const given = new Set(process.execArgv.map(nameOf));
  const missing = flags.filter((flag) => !given.has(nameOf(flag)));
  if (missing.length === 0) return false;
  // What was given comes later, and wins.
  const all = [...missing, ...process.execArgv, ...process.argv.slice(1)];
  if (process.platform === 'win32') {
    const { spawnSync } = await import('node:child_process');
    // The other process gets the signal as well, and ends when it is done.
    process.on('SIGINT', () => undefined);
    process.exitCode = spawnSync(process.execPath, all, { stdio: 'inherit' }).status ?? 70;
    return true;
  }
  process.execve?.(process.execPath, [process.execPath, ...all], process.env);
  return false;
}
