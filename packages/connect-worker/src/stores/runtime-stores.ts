import type { EventLog } from '@levada/connect-runtime-core';
import { settlesWithin } from '@levada/connect-runtime-core/host';
import type { CompactedRecord } from '@levada/connect-runtime-core/platform';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import type { runtimeEvents } from '../port/runtime-events.ts';
import { ConfigStore } from './config-store.ts';
import { LeaderWriter } from './leader-writer.ts';
import { OffsetStores, type OffsetStoresOptions } from './offset-stores.ts';
import { StatusStore, type StatusStoreOptions } from './status-store.ts';

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
  {
    writeTerm,
    ...status
  }: Pick<StatusStoreOptions, 'mayWrite' | 'onTaskComplete'> & Pick<OffsetStoresOptions, 'writeTerm'>,
): RuntimeStores {
  const { groupId, platform, clock, workerId } = options;
  const skipped = new Map<string, number>();
  const common = (suffix: string, topic: string) => ({
    clientId: `${groupId}-${suffix}`,
    onSkipped: ({ partition, offset }: CompactedRecord) => {
      const total = (skipped.get(topic) ?? 0) + 1;
      skipped.set(topic, total);
      log('store_record_skipped', { topic, partition, offset, total });
    },
  });
  const configs = new ConfigStore({
    ...common('configs', options.configTopic.name),
    leaderWriter: leaderWriter(options, log, status.mayWrite),
  });
  const offsets = new OffsetStores({
    ...common('offsets', options.offsetTopic.name),
    platform,
    topic: options.offsetTopic,
    writeTerm,
    onCopyFailure: (connector, error) => log('offset_copy_failed', { connector, reason: error.message }),
  });
  const statuses = new StatusStore({
    ...common('statuses', options.statusTopic.name),
    ...status,
    clock,
    workerId,
    onWriteFailure: ({ error, attempt }) => log('status_write_failed', { reason: error.message, attempt }),
  });
  let opened = 0;
  const steps = [
    { topic: options.offsetTopic, read: (signal: AbortSignal) => offsets.open(signal) },
    {
      topic: options.statusTopic,
      read: (signal: AbortSignal) => statuses.open(platform, options.statusTopic, signal),
    },
    {
      topic: options.configTopic,
      read: (signal: AbortSignal) => configs.open(platform, options.configTopic, signal),
    },
  ];
  return {
    configs,
    offsets,
    statuses,
    open: async (signal) => {
      for (const { topic, read } of steps.slice(opened)) {
        await read(signal);
        opened += 1;
        const count = skipped.get(topic.name);
        if (count !== undefined) log('store_records_skipped', { topic: topic.name, count });
      }
    },
    close: async (timeoutMs) => {
      const ends = Promise.allSettled([statuses.close(timeoutMs), configs.close(), offsets.close()]);
      await settlesWithin({ clock, ms: timeoutMs }, ends);
    },
  };
}

/** A leader writes transactions as soon as the group prepares for them; undefined where the log has none. */
function leaderWriter(
  options: ConnectRuntimeOptions,
  log: EventLog<typeof runtimeEvents>,
  mayProduce: () => boolean,
): LeaderWriter | undefined {
  const { groupId, platform, clock, exactlyOnceSourceSupport = 'disabled' } = options;
  const { transactions } = platform;
  if (exactlyOnceSourceSupport === 'disabled' || transactions === undefined) return undefined;
  return new LeaderWriter({
    transactions,
    producer: {
      clientId: `${groupId}-configs-leader`,
      // Kafka Connect's, so that its workers and ours fence each other.
      transactionalId: `connect-cluster-${groupId}`,
      overrides: options.producerConfig,
      mayProduce,
    },
    topic: options.configTopic.name,
    clock,
    onClaimFailure: ({ message }) =>
      log('effect_failed', { what: 'take over the right to write to the config topic', reason: message }),
  });
}

/** The topics that only workers write to. */
export function internalTopicsOf(options: ConnectRuntimeOptions): ReadonlySet<string> {
  return new Set([options.configTopic.name, options.offsetTopic.name, options.statusTopic.name]);
}
