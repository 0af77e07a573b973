import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawConfig, systemClock } from '@levada/connect-runtime-core';
import { runWorker } from '../src/worker-process.ts';
import type { RunningWorker } from '../src/worker-server.ts';

/** A worker in this process, with everything around it replaced by what a test can see. */
export interface InProcessWorker extends InProcessRun {
  readonly worker: RunningWorker;
  /** Ends it by a signal. */
  readonly end: () => Promise<number>;
}

/** A run from its first moment on. */
export interface InProcessRun {
  /** Settles once it answers REST. */
  readonly listening: Promise<RunningWorker>;
  /** Its exit code. */
  readonly code: Promise<number>;
  /** Emits signals and failures, as `process` does. */
  readonly events: EventEmitter;
  readonly stream: EventEmitter;
  /** Codes it wanted to exit with at once. */
  readonly exits: readonly number[];
  /** Everything that it wrote. */
  readonly text: () => string;
}

interface Surroundings {
  readonly isTTY?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** Its configuration, in place of a free port and a folder of its own. */
  readonly file?: string;
}

/** Starts one on a free port, with an embedded log in a folder of its own, and waits until it answers. */
export async function startInProcess(
  overrides: RawConfig = {},
  surroundings: Surroundings = {},
): Promise<InProcessWorker> {
  const run = runInProcess(overrides, surroundings);
  const worker = await run.listening;
  const end = (): Promise<number> => {
    run.events.emit('SIGTERM');
    return run.code;
  };
  return { ...run, worker, end };
}

/** Starts one and waits for nothing. */
export function runInProcess(overrides: RawConfig = {}, surroundings: Surroundings = {}): InProcessRun {
  const written: string[] = [];
  const exits: number[] = [];
  const events = new EventEmitter();
  const stream = Object.assign(new EventEmitter(), {
    isTTY: surroundings.isTTY ?? false,
    write: (text: string) => written.push(text),
  });
  const listening = Promise.withResolvers<RunningWorker>();
  const folder = surroundings.file === undefined ? mkdtempSync(join(tmpdir(), 'levada-run-')) : undefined;
  const code = runWorker({
    environment: surroundings.environment ?? {},
    file: surroundings.file,
    overrides:
      folder === undefined
        ? overrides
        : { listeners: 'http://127.0.0.1:0', 'embedded.storage.folder': folder, ...overrides },
    clock: systemClock,
    stdout: stream,
    stderr: stream,
    events,
    exit: (status) => exits.push(status),
    onListening: listening.resolve,
  }).finally(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  const ended = code.then(() => Promise.reject(new Error(`the worker did not start: ${written.join('')}`)));
  const answers = Promise.race([listening.promise, ended]);
  answers.catch(() => undefined);
  return {
    listening: answers,
    code,
    events,
    stream,
    exits,
    text: () => written.join(''),
  };
}
