import type { Clock, EventLog, Timer } from '@levada/connect-runtime-core';
import type { CommitGroup } from './commit/commit-group.ts';
import type { CommitLink } from './commit/commit-link.ts';
import type { CompactionBound, RetentionLimit } from './model/commit-protocol.ts';
import type { embeddedLogEvents } from './model/log-events.ts';
import type { Topic, TopicCatalog } from './topics/topic-catalog.ts';

/** Interval of removing old records. */
const RETENTION_EVERY_MS = 300_000;
/** A log that grew by this share of its limit is checked earlier. */
const GROWTH = 0.1;
/** Minimum growth for that. */
const LEAST_GROWTH_BYTES = 65_536;
/** A compacted topic is cleaned after this many new records. */
const COMPACT_RECORDS = 1000;
/** Maximum of that number when little could be removed: a pass reads the whole topic. */
const MOST_COMPACT_RECORDS = 64_000;
/** After this time without commits, caches are freed. */
const QUIET_MS = 5000;
/** Tombstones are kept for a day (Kafka's `delete.retention.ms`). */
const TOMBSTONE_MS = 86_400_000;

export interface MaintenanceOptions {
  readonly link: CommitLink;
  readonly clock: Clock;
  readonly catalog: TopicCatalog;
  readonly events: EventLog<typeof embeddedLogEvents>;
  /** The offset that every follower of a log has passed, or Infinity without followers. */
  readonly passed: (log: number) => number;
}

/** Removes old and superseded records, after growth and every few minutes. */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #grown = new Map<number, number>();
  readonly #written = new Map<Topic, number>();
  readonly #compactAfter = new Map<Topic, number>();
  #timer: Timer | undefined;
  #trim: Timer | undefined;
  #committedAt = 0;
  #running = false;
  #stopped = false;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  start(): void {
    this.#trimWhenQuiet();
    this.#retainLater();
  }

  #retainLater(): void {
    this.#timer = this.#options.clock.after(RETENTION_EVERY_MS, () => {
      this.retainNow();
      this.#retainLater();
    });
  }

  /** Counts the records of a commit. */
  noteCommit(group: CommitGroup): void {
    this.#committedAt = this.#options.clock.monotonic();
    this.#trimWhenQuiet();
    let due = false;
    for (const { log, compacted, bytes, count } of group.writtenLogs()) {
      const topic = this.#options.catalog.ofLog(log);
      if (topic === undefined) continue;
      if (compacted) this.#written.set(topic, (this.#written.get(topic) ?? 0) + count);
      else due = this.#grew(topic, log, bytes) || due;
    }
    if (due) this.retainNow();
    for (const [topic, records] of this.#written) {
      if (records >= this.#compactionOf(topic)) this.#compact(topic, records);
    }
  }

  /** Removes old records now, in the background. */
  retainNow(): void {
    if (this.#running || this.#stopped) return;
    this.#running = true;
    this.#grown.clear();
    // ends with the commit thread at the latest; never rejects
    void this.#retain();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#trim?.cancel();
  }

  /** One timer. After commits it starts again. */
  #trimWhenQuiet(): void {
    if (this.#stopped) return;
    const { clock, link } = this.#options;
    this.#trim ??= clock.after(QUIET_MS, () => {
      this.#trim = undefined;
      const quietMs = clock.monotonic() - this.#committedAt;
      // The next commit would report a failure; nothing is lost by it
      if (quietMs >= QUIET_MS) void link.request({ kind: 'trim' });
      else this.#trimWhenQuiet();
    });
  }

  #grew(topic: Topic, log: number, bytes: number): boolean {
    if (topic.retentionBytes < 0) return false;
    const grown = (this.#grown.get(log) ?? 0) + bytes;
    this.#grown.set(log, grown);
    return grown > Math.max(LEAST_GROWTH_BYTES, topic.retentionBytes * GROWTH);
  }

  async #retain(): Promise<void> {
    const { link, clock, catalog } = this.#options;
    const limits = [...catalog.all()].flatMap(limitsOf);
    let more = limits.length > 0;
    while (more && !this.#stopped) {
      const outcome = await link.request({ kind: 'retain', now: clock.now(), limits });
      if (outcome.kind === 'failed') this.#reportFailure(outcome.error.message);
      more = outcome.kind === 'done' && outcome.more;
    }
    this.#running = false;
  }

  #compactionOf(topic: Topic): number {
    return this.#compactAfter.get(topic) ?? COMPACT_RECORDS;
  }

  #compact(topic: Topic, written: number): void {
    this.#written.delete(topic);
    if (this.#stopped) return;
    const { link, clock, passed } = this.#options;
    const bounds: CompactionBound[] = [];
    for (let log = topic.firstLog; log < topic.firstLog + topic.partitions; log += 1) {
      bounds.push({ log, below: Math.min(passed(log), Number.MAX_SAFE_INTEGER) });
    }
    const request = { kind: 'compact', bounds, tombstonesBefore: clock.now() - TOMBSTONE_MS } as const;
    void link.request(request).then((outcome) => {
      if (outcome.kind === 'failed') this.#reportFailure(outcome.error.message);
      else if (outcome.kind === 'done') {
        const worthIt = outcome.removed * 2 >= written;
        const after = this.#compactionOf(topic) * (worthIt ? 0.5 : 2);
        this.#compactAfter.set(topic, Math.min(MOST_COMPACT_RECORDS, Math.max(COMPACT_RECORDS, after)));
      }
    });
  }

  #reportFailure(reason: string): void {
    if (!this.#stopped) this.#options.events('embedded_log_maintenance_failed', { reason });
  }
}

function limitsOf(topic: Topic): RetentionLimit[] {
  if (!topic.deleted || (topic.retentionMs < 0 && topic.retentionBytes < 0)) return [];
  return Array.from({ length: topic.partitions }, (_, partition) => ({
    log: topic.firstLog + partition,
    compacted: topic.compacted,
    ms: topic.retentionMs,
    bytes: topic.retentionBytes,
  }));
}
