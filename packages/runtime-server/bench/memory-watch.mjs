// Loaded into a worker with --import. On SIGUSR2 it writes what its memory consists of, in bytes, to the file that
// MEMORY_WATCH_FILE names. JavaScript, because taking types away costs memory, too.
import { writeFileSync } from 'node:fs';

process.on('SIGUSR2', () => {
  writeFileSync(process.env['MEMORY_WATCH_FILE'] ?? '', JSON.stringify(process.memoryUsage()));
});
