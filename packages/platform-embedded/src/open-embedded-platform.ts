import {
  type Clock,
  ConnectorError,
  type EventLog,
  eventLog,
  type Logger,
  silentLogger,
  systemClock,
} from '@levada/connect-runtime-core';
import type { LogPlatformContext } from '@levada/connect-runtime-core/platform';
import { CommitLink } from './commit/commit-link.ts';
import { EmbeddedPlatform } from './embedded-platform.ts';
import { type FolderLayout, folderLayout } from './folder/folder-layout.ts';
import { lockFolder } from './folder/folder-lock.ts';
import { embeddedLogEvents } from './model/log-events.ts';
import { openForReading } from './read/open-embedded-reader.ts';
import { TopicCatalog } from './topics/topic-catalog.ts';

export interface EmbeddedPlatformOptions {
  /** Created if missing. Only one process at a time writes to it. */
  readonly folder: string;
  /** Retention of topics without `retention.ms`, in milliseconds; -1: forever. Default 7 days. */
  readonly retentionMs?: number | undefined;
  /** Minimum bytes kept in each partition of topics without `retention.bytes`; -1: all. Default 1 GiB. */
  readonly retentionBytes?: number | undefined;
  /** Whether a record for a missing topic creates it, with one partition. Default true. */
  readonly autoCreateTopics?: boolean | undefined;
  /** Any pino-compatible logger. Default: silent. */
  readonly logger?: Logger | undefined;
  /** The only source of time. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

const WEEK_MS = 604_800_000;
const GIBIBYTE = 1_073_741_824;

/**
 * Opens the log of a folder, and creates it in an empty one. Rejects with `log_in_use` if another process has it open,
 * `log_corrupt` if the file is damaged, `unsupported` if a newer release has written it, and `log_unavailable` if the folder
 * cannot be written.
 */
export async function openEmbeddedPlatform(options: EmbeddedPlatformOptions): Promise<EmbeddedPlatform> {
  const { logger = silentLogger, clock = systemClock } = options;
  const layout = folderLayout(options.folder);
  const lock = await lockFolder(layout);
  const link = new CommitLink();
  try {
    const events = eventLog(embeddedLogEvents, logger, clock);
    return await assemble(options, { layout, lock, link, logger, clock, events });
  } catch (thrown) {
    await link.terminate();
    lock.release();
    throw thrown;
  }
}

interface Opened extends LogPlatformContext {
  readonly layout: FolderLayout;
  readonly lock: Awaited<ReturnType<typeof lockFolder>>;
  readonly link: CommitLink;
  readonly events: EventLog<typeof embeddedLogEvents>;
}

async function assemble(options: EmbeddedPlatformOptions, opened: Opened): Promise<EmbeddedPlatform> {
  const { layout, link, events } = opened;
  const reply = await link.request({ kind: 'open', folder: layout.folder });
  if (reply.kind === 'failed') throw reply.error;
  if (reply.kind !== 'opened') throw new ConnectorError('internal', `unexpected answer "${reply.kind}"`);
  const place = `log "${layout.log}"`;
  const { clusterId, topics } = reply;
  const database = await openForReading(layout.log, place);
  const catalog = new TopicCatalog(topics, {
    retentionMs: options.retentionMs ?? WEEK_MS,
    retentionBytes: options.retentionBytes ?? GIBIBYTE,
  });
  events('embedded_log_opened', { folder: layout.folder, clusterId, topics: topics.length });
  const autoCreateTopics = options.autoCreateTopics ?? true;
  return new EmbeddedPlatform({ ...opened, database, catalog, clusterId, place, autoCreateTopics });
}
