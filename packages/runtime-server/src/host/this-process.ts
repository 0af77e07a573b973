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

/** Whether the C library of this process is glibc: only it has `malloc_trim`. Takes some 3 ms. */
function hasGlibc(): boolean {
  // Missing in the types of Node.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  // Looking up names of peers may take long.
  report.excludeNetwork = true;
  const { header } = report.getReport() as { readonly header: object };
  report.excludeNetwork = excludeNetwork;
  return 'glibcVersionRuntime' in header;
}

/** How SQLite reports that the function was called and returned 1: something was released. */
const RELEASED = 'error during initialization';

/**
 * Calls `malloc_trim` of glibc, which returns free pages between pieces in use to the system. Node has no way to call it. SQLite has: it loads a
 * library as an extension and calls an entry point by its name. `malloc_trim(size_t pad)` gets the address of the database as `pad`, the bytes
 * to keep at the end of the heap, and SQLite takes its result 1 for an error. Decision 46 says why that is safe. Throws where it does not work.
 */
function trimGlibc(): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(':memory:', { allowExtension: true });
  try {
    database.loadExtension('libc.so.6', 'malloc_trim');
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith(RELEASED))) throw error;
  } finally {
    database.close();
  }
}

/** The memory of this process, as its main thread sees it. */
export function processMemory(): ProcessMemory {
  let isChecked = false;
  const returnFree = (): void => {
    if (!isChecked && !hasGlibc()) throw new Error('the C library is not glibc');
    isChecked = true;
    trimGlibc();
  };
  return { ...threadMemory(), returnFree };
}

/** The memory of the thread that calls. The C library is one for the process, so only the main thread returns what is free in it. */
export function threadMemory(): ProcessMemory {
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
    collectAll: () => {
      const begun = performance.now();
      collect();
      return performance.now() - begun;
    },
    returnFree: () => undefined,
  };
}
