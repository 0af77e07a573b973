import type { OffsetStore, OffsetStoreContext } from '../contract/offset-store.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { LogPlatform, TopicSpec } from '../platform/log-platform.ts';
import { OffsetTopic } from './offset-topic.ts';

/** Where in a log offsets are kept. */
export interface LogOffsetsOptions {
  /** A compacted topic; created when it is missing. Its records are those of Kafka Connect's offsets topic, with the source's name as connector. */
  readonly topic: TopicSpec & { readonly partitions: number };
  /** How often offsets are written, in milliseconds, when something changed. Default 1000. */
  readonly flushIntervalMs?: number | undefined;
}

interface Opened {
  readonly platform: LogPlatform;
  readonly offsets: OffsetTopic;
}

/**
 * Keeps offsets in a compacted topic of a log. The platform is opened for the first source that uses the store, and closed after
 * the last.
 */
export function logOffsets(
  open: (context: OffsetStoreContext) => Promise<LogPlatform>,
  { topic, flushIntervalMs }: LogOffsetsOptions,
): OffsetStore {
  let users = 0;
  let ending = new AbortController();
  let opened: Promise<Opened> | undefined;
  const inUse = async (): Promise<OffsetTopic> => {
    if (opened === undefined) throw new ConnectorError('closed', 'the offset store is not open');
    return (await opened).offsets;
  };
  return {
    flushIntervalMs,
    open: async (context) => {
      users += 1;
      const { signal } = ending;
      opened ??= open(context).then((platform) => openTopic(platform, { topic, context, signal }));
      const opening = opened;
      try {
        await opening;
      } catch (thrown) {
        // The next source tries again.
        if (opened === opening) opened = undefined;
        throw thrown;
      }
    },
    read: async (source, partition) => (await inUse()).get(source, partition),
    write: async (source, offsets) => await (await inUse()).put(source, offsets),
    close: async () => {
      users = Math.max(0, users - 1);
      if (users > 0) return;
      ending.abort();
      const last = await opened?.catch(() => undefined);
      opened = undefined;
      ending = new AbortController();
      await last?.offsets.close();
      await last?.platform.close({ timeoutMs: CLOSE_MS });
    },
  };
}

const CLOSE_MS = 1000;

async function openTopic(
  platform: LogPlatform,
  {
    topic,
    context: { source, logger },
    signal,
  }: {
    readonly topic: LogOffsetsOptions['topic'];
    readonly context: OffsetStoreContext;
    readonly signal: AbortSignal;
  },
): Promise<Opened> {
  const offsets = new OffsetTopic({
    clientId: `${source}-offsets`,
    onSkipped: ({ partition, offset }) =>
      logger.warn(
        { event: 'offset_record_skipped', topic: topic.name, partition, offset },
        'a record of the offsets topic is none of an offset, and is passed over',
      ),
  });
  try {
    await offsets.open(platform, topic, 'offset.storage.topic', signal);
    return { platform, offsets };
  } catch (thrown) {
    await platform.close({ timeoutMs: 0 });
    throw thrown;
  }
}
