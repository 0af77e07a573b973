import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type { LogPlatform, LogProducer } from '@levada/connect-runtime-core/platform';
import { openEmbeddedPlatform } from '@levada/platform-embedded';
import { openKafkaPlatform } from '@levada/platform-kafka';

/** The log keeps no more than this, so that long runs do not fill the disk. */
const KEPT_BYTES = 256 * 1_048_576;

/** Where everything goes. */
export const topic = 'otlp-bench';

/** Opens `embedded`, `discard` (what receiving costs alone), or a broker by its address, and makes the topic. */
export async function openSink(target: string): Promise<LogProducer> {
  if (target === 'discard') return discard;
  const context = { logger: silentLogger, clock: systemClock };
  const platform: LogPlatform =
    target === 'embedded'
      ? await openEmbeddedPlatform({ folder: temporaryFolder(), retentionBytes: KEPT_BYTES, ...context })
      : await openKafkaPlatform({ config: { 'bootstrap.servers': target }, ...context });
  await platform.createTopics([{ name: topic, partitions: 1 }]);
  return platform.producer({ clientId: 'bench' });
}

/** A folder that is gone when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'otlp-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const discard: LogProducer = {
  pendingBytes: 0,
  send: async (records) => ({ stored: records.length, failures: [] }),
  flush: async () => undefined,
  close: async () => undefined,
};
