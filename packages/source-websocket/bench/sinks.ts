import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type { LogPlatform, LogProducer } from '@levada/connect-runtime-core/platform';
import { openEmbeddedPlatform } from '@levada/platform-embedded';
import { openKafkaPlatform } from '@levada/platform-kafka';

/** A log to write to. */
export interface Sink {
  readonly producer: LogProducer;
  close(): Promise<void>;
}

/** The log keeps no more than this, so that long runs do not fill the disk. */
const KEPT_BYTES = 256 * 1_048_576;

/** Opens `embedded`, `discard` (what the source costs alone), or a broker by its address, and makes the topic. */
export async function openSink(target: string, topic: string): Promise<Sink> {
  if (target === 'discard') return { producer: discard, close: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'websocket-bench-'));
  const context = { logger: silentLogger, clock: systemClock };
  const platform: LogPlatform =
    target === 'embedded'
      ? await openEmbeddedPlatform({ folder, retentionBytes: KEPT_BYTES, ...context })
      : await openKafkaPlatform({ config: { 'bootstrap.servers': target }, ...context });
  await platform.createTopics([{ name: topic, partitions: 1 }]);
  return {
    producer: await platform.producer({ clientId: 'bench' }),
    close: async () => {
      await platform.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const discard: LogProducer = {
  pendingBytes: 0,
  send: async (records) => ({ stored: records.length, failures: [] }),
  flush: async () => undefined,
  close: async () => undefined,
};
