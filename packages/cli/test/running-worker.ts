import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@levada/connect-runtime-core';
import { createLogging, loadWorkerConfig, startWorker } from '@levada/runtime-server';

/** A worker on an embedded log of its own, for commands to ask. */
export interface TestWorker {
  readonly url: string;
  /** Of its log. */
  readonly folder: string;
  /** Sends JSON and fails unless the answer is a success. */
  put(path: string, body?: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Starts a worker on a free port of this machine, with more keys of its configuration if there are any. */
export async function startTestWorker(more: Readonly<Record<string, string>> = {}): Promise<TestWorker> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-cli-worker-'));
  const config = await loadWorkerConfig({
    defaults: { listeners: 'http://127.0.0.1:0', 'embedded.storage.folder': folder, ...more },
  });
  const logging = createLogging({ sink: () => undefined, level: 'INFO', clock: systemClock });
  const worker = await startWorker(config, { logging, clock: systemClock });
  await worker.started;
  return {
    url: worker.url,
    folder,
    put: async (path, body) => {
      const response = await fetch(`${worker.url}${path}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    },
    close: async () => {
      await worker.stop();
      await rm(folder, { recursive: true });
    },
  };
}
