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

/** From the first source that uses the store to the last. */
interface Period {
  readonly opened: Promise<Opened>;
  /** Ends what is waited for while it opens. */
  readonly ending: AbortController;
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
  let period: Period | undefined;
  /** The end of the last period. Never rejects. */
  let closing: Promise<unknown> = Promise.resolve();
  const begin = (context: OffsetStoreContext): Period => {
    const ending = new AbortController();
    const { signal } = ending;
    const opened = closing
      .then(() => {
        if (signal.aborted) throw notOpen();
        return open(context);
      })
      .then((platform) => openTopic(platform, { topic, context, signal }));
    return { opened, ending };
  };
  const inUse = async (): Promise<OffsetTopic> => {
    if (period === undefined) throw notOpen();
    return (await period.opened).offsets;
  };
  return {
    flushIntervalMs,
    open: async (context) => {
      users += 1;
      period ??= begin(context);
      const mine = period;
      try {
        await mine.opened;
      } catch (thrown) {
        // The next source tries again.
        if (period === mine) period = undefined;
        throw thrown;
      }
    },
    read: async (source, partition) => (await inUse()).get(source, partition),
    write: async (source, offsets) => await (await inUse()).put(source, offsets),
    close: async () => {
      users = Math.max(0, users - 1);
      const last = period;
      if (users > 0 || last === undefined) return;
      // A source that opens the store from now on begins another period, after the end of this one.
      period = undefined;
      const closed = end(last);
      // The caller gets the failure; the next period only waits for the end.
      closing = closed.catch(() => undefined);
      await closed;
    },
  };
}

function notOpen(): ConnectorError {
  return new ConnectorError('closed', 'the offset store is not open');
}

async function end({ opened, ending }: Period): Promise<void> {
  ending.abort();
  // What could not be opened was said where it was opened, and leaves nothing to close.
  const last = await opened.catch(() => undefined);
  await last?.offsets.close();
  await last?.platform.close({ timeoutMs: CLOSE_MS });
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
