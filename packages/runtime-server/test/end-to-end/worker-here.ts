import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { systemClock } from '@levada/connect-runtime-core';
import { runWorker } from '../../src/worker-process.ts';
import { ObservedWorker } from './observed-worker.ts';

const running = new Set<ObservedWorker>();

/** A worker like one of its own process, but in this one: for tests whose subject is neither the process nor a signal. */
export function startWorkerHere(
  folder: string,
  properties: Readonly<Record<string, string>> = {},
): ObservedWorker {
  const events = new EventEmitter();
  const code = Promise.withResolvers<number>();
  const worker = new ObservedWorker({
    pid: process.pid,
    ended: code.promise,
    signal: (name) => events.emit(name),
  });
  const output = (take: (text: string) => void) =>
    Object.assign(new EventEmitter(), { isTTY: false, write: take });
  running.add(worker);
  void runWorker({
    environment: {},
    overrides: {
      listeners: 'http://127.0.0.1:0',
      'embedded.storage.folder': join(folder, '.levada'),
      ...properties,
    },
    clock: systemClock,
    stdout: output((text) => worker.takeOutput(text)),
    stderr: output((text) => worker.takeErrors(text)),
    events,
    exit: code.resolve,
  }).then(code.resolve, code.reject);
  void code.promise.finally(() => running.delete(worker));
  return worker;
}

/** Ends what a test left running. */
export async function endWorkersHere(): Promise<void> {
  await Promise.all([...running].map((worker) => worker.end('SIGTERM')));
}
