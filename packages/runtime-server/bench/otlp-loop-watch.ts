// Loaded into a worker with --import. On SIGUSR2 it writes what the event loop was held up since the last time, in milliseconds, to
// the file that LOOP_WATCH_FILE names.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('SIGUSR2', () => {
  const figures = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
  writeFileSync(process.env['LOOP_WATCH_FILE'] ?? '', JSON.stringify(figures));
  delay.reset();
});
