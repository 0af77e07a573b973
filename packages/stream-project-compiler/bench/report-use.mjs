// Loaded before a command: when the process ends, says on descriptor 3 how much memory it held at most, in KiB, and for how many
// milliseconds it used processors. The kernel's
// own count of a child begins with what its parent held, so it cannot be asked afterwards. No TypeScript, which Node would
// load its compiler for.
import { readFileSync, writeSync } from 'node:fs';

process.on('exit', () => {
  const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const { user, system } = process.cpuUsage();
  writeSync(3, `${peak ?? ''} ${Math.round((user + system) / 1000)}`);
});
