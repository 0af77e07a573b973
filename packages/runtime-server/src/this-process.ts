import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '@levada/connect-runtime-core';
import type { ProcessMemory } from './memory-keeper.ts';
import type { WorkerProcessOptions } from './worker-process.ts';

/** This process, as `runWorker` wants its surroundings: environment, streams, signals, real time, memory. */
export function thisProcess(): Pick<
  WorkerProcessOptions,
  'environment' | 'clock' | 'stdout' | 'stderr' | 'events' | 'exit'
> & { readonly memory: ProcessMemory } {
  return {
    environment: process.env,
    clock: systemClock,
    stdout: process.stdout,
    stderr: process.stderr,
    events: process,
    exit: (code) => process.exit(code),
    memory: processMemory(),
  };
}

type CollectGarbage = (options?: { readonly type: 'minor' }) => void;

function processMemory(): ProcessMemory {
  // V8 puts `gc` into contexts that are made after the flag was set, so that the one of this program stays as it is.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as CollectGarbage;
  let since = performance.eventLoopUtilization();
  return {
    bufferBytes: () => getHeapStatistics().external_memory,
    heldBytes: () => {
      const { total_heap_size, external_memory } = getHeapStatistics();
      return total_heap_size + external_memory;
    },
    busyShare: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, since);
      since = now;
      return utilization;
    },
    collectYoung: () => collect({ type: 'minor' }),
    collectAll: () => collect(),
  };
}
