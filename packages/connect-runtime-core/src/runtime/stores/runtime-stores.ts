import type { EventLog } from '../../diagnostics/log-event.ts';
import type { CompactedRecord } from '../../platform/log-platform.ts';
import { settlesWithin } from '../../time/deadline.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import type { runtimeEvents } from '../port/runtime-events.ts';
import { ConfigStore } from './config-store.ts';
import { OffsetStores } from './offset-stores.ts';
import { StatusStore } from './status-store.ts';

/** The three stores of a worker. */
export interface RuntimeStores {
  readonly configs: ConfigStore;
  readonly offsets: OffsetStores;
  readonly statuses: StatusStore;
  /** Reads all three to their ends. May be called again after a rejection; what is open stays open. */
  open(signal: AbortSignal): Promise<void>;
  /** Gives statuses `timeoutMs` to be written, then closes all three. Always resolves. */
  close(timeoutMs: number): Promise<void>;
}

/** Stores that are not open yet. */
export function createRuntimeStores(
  options: ConnectRuntimeOptions,
  log: EventLog<typeof runtimeEvents>,
): RuntimeStores {
  const { groupId, platform, clock, workerId } = options;
  const common = (suffix: string, topic: string) => ({
    clientId: `${groupId}-${suffix}`,
    onSkipped: ({ partition, offset }: CompactedRecord) =>
      log('store_record_skipped', { topic, partition, offset }),
  });
  const configs = new ConfigStore(common('configs', options.configTopic.name));
  const offsets = new OffsetStores({
    ...common('offsets', options.offsetTopic.name),
    platform,
    topic: options.offsetTopic,
    onCopyFailure: (connector, error) => log('offset_copy_failed', { connector, reason: error.message }),
  });
  const statuses = new StatusStore({
    ...common('statuses', options.statusTopic.name),
    clock,
    workerId,
    onWriteFailure: ({ error, attempt }) => log('status_write_failed', { reason: error.message, attempt }),
  });
  let opened = 0;
  const steps = [
    (signal: AbortSignal) => offsets.open(signal),
    (signal: AbortSignal) => statuses.open(platform, options.statusTopic, signal),
    (signal: AbortSignal) => configs.open(platform, options.configTopic, signal),
  ];
  return {
    configs,
    offsets,
    statuses,
    open: async (signal) => {
      for (const open of steps.slice(opened)) {
        await open(signal);
        opened += 1;
      }
    },
    close: async (timeoutMs) => {
      const ends = Promise.allSettled([statuses.close(timeoutMs), configs.close(), offsets.close()]);
      await settlesWithin({ clock, ms: timeoutMs }, ends);
    },
  };
}
