// Loaded before a command: when the process ends, says on descriptor 3 how much memory it held at most, in KiB. The kernel's
// own count of a child begins with what its parent held, so it cannot be asked afterwards.
import { readFileSync, writeSync } from 'node:fs';

process.on('exit', () => {
  const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  writeSync(3, peak ?? '');
});
