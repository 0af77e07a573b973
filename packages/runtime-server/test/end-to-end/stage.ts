import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, vi } from 'vitest';
import { type FeedOptions, type NumberedFeed, startNumberedFeed } from './numbered-feed.ts';
import { endWorkersHere } from './worker-here.ts';
import { killWorkerProcesses } from './worker-process.ts';

/** Resources of the tests of a file, removed after each test. */
export interface Stage {
  /** A folder that is removed after the test. */
  readonly newFolder: () => Promise<string>;
  /** A feed that is closed after the test. */
  readonly newFeed: (options?: FeedOptions) => Promise<NumberedFeed>;
}

/** Longest that one test may take: it starts processes, and other work may share the machine. */
const TEST_LIMIT_MS = 120_000;

/** Clears away after each test of the file, also after one that failed: workers, feeds, folders. */
export function stage(): Stage {
  vi.setConfig({ testTimeout: TEST_LIMIT_MS, hookTimeout: TEST_LIMIT_MS });
  const folders: string[] = [];
  const feeds: NumberedFeed[] = [];
  afterEach(async () => {
    killWorkerProcesses();
    await endWorkersHere();
    await Promise.all(feeds.splice(0).map((feed) => feed.close()));
    await Promise.all(
      folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })),
    );
  });
  return {
    newFolder: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'levada-end-to-end-'));
      folders.push(folder);
      return folder;
    },
    newFeed: async (options) => {
      const feed = await startNumberedFeed(options);
      feeds.push(feed);
      return feed;
    },
  };
}

/** A connector as an operator writes it, for this feed. */
export function webSocketConfig(feed: NumberedFeed, more: Readonly<Record<string, string>> = {}) {
  return {
    'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
    'tasks.max': '1',
    'websocket.url': feed.url,
    'platform.topic': 'messages',
    'websocket.reconnect.interval.ms': '100',
    ...more,
  };
}
