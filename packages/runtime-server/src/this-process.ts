import process from 'node:process';
import { systemClock } from '@levada/connect-runtime-core';
import type { WorkerProcessOptions } from './worker-process.ts';

/** This process, as `runWorker` wants its surroundings: environment, streams, signals, real time. */
export function thisProcess(): Pick<
  WorkerProcessOptions,
  'environment' | 'clock' | 'stdout' | 'stderr' | 'events' | 'exit'
> {
  return {
    environment: process.env,
    clock: systemClock,
    stdout: process.stdout,
    stderr: process.stderr,
    events: process,
    exit: (code) => process.exit(code),
  };
}
