import { EventEmitter } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawConfig, systemClock } from '@levada/connect-runtime-core';
import { runWorker } from '../src/worker-process.ts';
import type { RunningWorker } from '../src/worker-server.ts';

/** A worker in this process, with everything around it replaced by what a test can see. */
export interface InProcessWorker {
  readonly worker: RunningWorker;
  /** Its exit code. */
  readonly code: Promise<number>;
  /** Emits signals and failures, as `process` does. */
  readonly events: EventEmitter;
  readonly stream: EventEmitter;
  /** Codes it wanted to exit with at once. */
  readonly exits: readonly number[];
  /** Everything that it wrote. */
  readonly text: () => string;
  /** Ends it by a signal. */
  readonly end: () => Promise<number>;
}

/** Starts one on a free port, with an embedded log in a folder of its own. */
export async function startInProcess(
  overrides: RawConfig = {},
  surroundings: {
    readonly isTTY?: boolean;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Promise<InProcessWorker> {
  const written: string[] = [];
  const exits: number[] = [];
  const events = new EventEmitter();
  const stream = Object.assign(new EventEmitter(), {
    isTTY: surroundings.isTTY ?? false,
    write: (text: string) => written.push(text),
  });
  const listening = Promise.withResolvers<RunningWorker>();
  const code = runWorker({
    environment: surroundings.environment ?? {},
    overrides: {
      listeners: 'http://127.0.0.1:0',
      'embedded.storage.folder': await mkdtemp(join(tmpdir(), 'levada-run-')),
      ...overrides,
    },
    clock: systemClock,
    stdout: stream,
    stderr: stream,
    events,
    exit: (status) => exits.push(status),
    onListening: listening.resolve,
  });
  const worker = await Promise.race([
    listening.promise,
    code.then(() => Promise.reject(new Error(`the worker did not start: ${written.join('')}`))),
  ]);
  return {
    worker,
    code,
    events,
    stream,
    exits,
    text: () => written.join(''),
    end: () => {
      events.emit('SIGTERM');
      return code;
    },
  };
}
