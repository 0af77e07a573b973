import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Clock, systemClock } from '@levada/connect-runtime-core';
import type { EndSignal } from './end-signals.ts';
import type { ProcessMemory } from './memory-keeper.ts';

/** Where text goes. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Events of the process. `process` fits. */
export interface ProcessEvents {
  on(event: EndSignal, listener: () => void): unknown;
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (thrown: unknown) => void): unknown;
}

export interface ProcessSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly events: ProcessEvents;
  /** Memory that the worker keeps low. Default: none, the engine alone decides when to collect. */
  readonly memory?: ProcessMemory;
  /** Ends the process at once: called on a second signal. */
  readonly exit: (code: number) => void;
}

/** This process: its environment, streams and signals, real time, its memory. */
export function thisProcess(): ProcessSurroundings & { readonly memory: ProcessMemory } {
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

/** CPU time of the thread that calls; that of the whole process in Node 22, which knows no other. */
function cpuUsage(since?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  const known: Partial<NodeJS.Process> = process;
  return known.threadCpuUsage?.(since) ?? process.cpuUsage(since);
}

type CollectGarbage = (options?: { readonly type: 'minor' }) => void;

type Sqlite = typeof import('node:sqlite');

/**
 * Returns memory that is free in the C library to the system. glibc keeps free pages between pieces that are in use, which the sockets and
 * the log of a burst leave, until `malloc_trim` is called, and Node has no way to call it. SQLite has: it calls a function of a library by its name.
 * The argument, an address, is taken for the bytes to keep at the end of the heap, and the result, 1, for an error. Where there is no glibc, or no
 * `node:sqlite` that may load libraries, nothing happens. See decision 46.
 */
function returnFreeMemory(): void {
  try {
    const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as Sqlite;
    const database = new DatabaseSync(':memory:', { allowExtension: true });
    try {
      database.loadExtension('libc.so.6', 'malloc_trim');
    } finally {
      database.close();
    }
  } catch {
    // 1 says that something was returned; any other failure leaves the memory with the process, as before.
  }
}

/** The memory of this process; in a thread, that of the thread. */
export function processMemory(): ProcessMemory {
  // V8 puts `gc` into contexts that are made after the flag was set, so that the one of this program stays as it is.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as CollectGarbage;
  let used = cpuUsage();
  let since = performance.now();
  return {
    bufferBytes: () => getHeapStatistics().external_memory,
    heldBytes: () => {
      const { total_heap_size, external_memory } = getHeapStatistics();
      return total_heap_size + external_memory;
    },
    busyShare: () => {
      const now = performance.now();
      const { user, system } = cpuUsage(used);
      const share = (user + system) / 1000 / Math.max(1, now - since);
      used = cpuUsage();
      since = now;
      return share;
    },
    collectYoung: () => collect({ type: 'minor' }),
    collectAll: () => collect(),
    returnFree: returnFreeMemory,
  };
}
