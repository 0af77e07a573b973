import { type Clock, ConnectorError, type EventLog, type Timer } from '@levada/connect-runtime-core';
import type { LogRecord, PlatformHealth } from '@levada/connect-runtime-core/platform';
import type { TopicRow } from '../model/commit-protocol.ts';
import type { embeddedLogEvents } from '../model/log-events.ts';
import { BatchBuffers, CommitGroup } from './commit-group.ts';
import type { CommitLink, FailedRequest } from './commit-link.ts';
import { PendingSend } from './pending-send.ts';

/** Interval of checks whether storing works again while nothing is left to store. */
const PROBE_MS = 1000;
/** Delay after a failed commit, doubled each time up to the maximum. */
const RETRY_MS = 50;
const LONGEST_RETRY_MS = 1000;

export interface CommitQueueOptions {
  readonly link: CommitLink;
  readonly clock: Clock;
  readonly events: EventLog<typeof embeddedLogEvents>;
  /** Called after each commit, before its deliveries are settled. Must not throw. */
  readonly onCommitted: (group: CommitGroup) => void;
}

/**
 * Group commit: one group is being written while the next one collects records. After a transient failure the same group is tried
 * again until its deliveries time out.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  readonly #buffers = new BatchBuffers();
  readonly #groups: CommitGroup[] = [];
  #inFlight: CommitGroup | undefined;
  #lastGroup = 0;
  #failures = 0;
  #retry: Timer | undefined;
  #probe: Timer | undefined;
  #expiry: Timer | undefined;
  #expiresAt = 0;
  #fatal: ConnectorError | undefined;
  #stopped = false;
  #health: PlatformHealth = { status: 'ok' };

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /** Watches the thread: nothing can be stored without it, which must be reported even if there is nothing to store. */
  start(): void {
    // ends with the thread; never rejects
    void this.#options.link.ended.then((error) => {
      this.#fail(error);
      this.failAll(error);
    });
  }

  get health(): PlatformHealth {
    return this.#health;
  }

  /** Starts a delivery that times out after `timeoutMs`. */
  begin(records: number, timeoutMs: number): PendingSend {
    return new PendingSend(records, this.#options.clock.monotonic() + timeoutMs);
  }

  /** The group for the next records of the delivery. It may change after each record. */
  groupFor(delivery: PendingSend): CommitGroup {
    const last = this.#groups.at(-1);
    return last?.takes(delivery.deadline) ? last : this.#addGroup();
  }

  #addGroup(): CommitGroup {
    this.#lastGroup += 1;
    const group = new CommitGroup(this.#lastGroup, this.#buffers);
    this.#groups.push(group);
    return group;
  }

  /** Copies the records for which `place` returns a log. `place` reports the others as refused. */
  append(
    records: readonly LogRecord[],
    delivery: PendingSend,
    place: (record: LogRecord, index: number) => LogPlace | undefined,
  ): void {
    let group = this.groupFor(delivery);
    let from = 0;
    let taken = 0;
    for (let i = 0; i < records.length; i += 1) {
      const record = records[i] as LogRecord;
      const target = place(record, i);
      if (target === undefined) continue;
      if (taken > 0 && !group.takes(delivery.deadline)) {
        group.share(delivery, from, i);
        from = i;
        taken = 0;
        group = this.groupFor(delivery);
      }
      group.append(target.log, target.compacted, record);
      taken += 1;
    }
    if (taken > 0) group.share(delivery, from, records.length);
  }

  /** Topics to store with the next commit, before all records that are not in flight. */
  addTopics(topics: readonly TopicRow[]): void {
    if (topics.length === 0) return;
    const first = this.#groups[0] ?? this.#addGroup();
    first.topics = [...first.topics, ...topics];
  }

  /** Lets a delivery without records wait for everything submitted so far. */
  follow(delivery: PendingSend): void {
    this.groupFor(delivery).share(delivery, 0, 0);
    this.submit(delivery);
  }

  /** Marks the delivery as complete and starts a commit if none is in flight. */
  submit(delivery: PendingSend): void {
    delivery.completePart();
    this.pump();
    if (!delivery.settled) this.#watch(delivery.deadline);
  }

  /** Starts the next commit if there is something to store and none is in flight. */
  pump(): void {
    if (this.#fatal !== undefined) this.failAll(this.#fatal);
    if (this.#inFlight !== undefined || this.#retry !== undefined) return;
    while (this.#groups[0]?.empty) this.#groups.shift();
    const group = this.#groups.shift();
    if (group === undefined) {
      this.#probeLater();
      return;
    }
    this.#inFlight = group;
    // settled by the reply; never rejects
    void this.#commit(group);
  }

  /** Fails everything with this error, including the group in flight. */
  failAll(error: ConnectorError): void {
    this.#inFlight?.fail(error);
    for (const group of this.#groups.splice(0)) group.fail(error);
  }

  /** Stops all timers. The end of the thread is expected from now on. */
  stop(): void {
    this.#stopped = true;
    if (this.#retry !== undefined) this.#options.link.release();
    this.#retry?.cancel();
    this.#retry = undefined;
    this.#probe?.cancel();
    this.#expiry?.cancel();
  }

  async #commit(group: CommitGroup): Promise<void> {
    const { link } = this.#options;
    const outcome = await link.request({
      kind: 'commit',
      group: group.id,
      topics: group.topics,
      batches: group.rows(),
    });
    this.#inFlight = undefined;
    if (outcome.kind === 'failed') this.#handleFailure(group, outcome);
    else if (outcome.kind === 'done') {
      this.#buffers.give(outcome.buffers);
      // A transaction that writes nothing also succeeds on a full disk
      if (group.writes) this.#noteRecovery();
      this.#options.onCommitted(group);
      group.succeed();
    }
    this.pump();
  }

  #handleFailure(group: CommitGroup, { error, buffers }: FailedRequest): void {
    if (!error.retriable || buffers === undefined) {
      this.#fail(error);
      group.fail(error);
      return;
    }
    this.#failing(error);
    group.restore(buffers);
    this.#groups.unshift(group);
    this.#failures += 1;
    const delay = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** Math.min(this.#failures - 1, 10));
    const { link, clock } = this.#options;
    link.hold();
    this.#retry = clock.after(delay, () => {
      this.#retry = undefined;
      link.release();
      this.pump();
    });
  }

  /** Storing has failed permanently. */
  #fail(error: ConnectorError): void {
    if (this.#fatal !== undefined || this.#stopped) return;
    this.#fatal = error;
    this.#health = { status: 'away', reason: error.message, since: this.#options.clock.now() };
    this.#options.events('embedded_log_failed', { reason: error.message });
  }

  /** Storing fails at the moment. */
  #failing(error: ConnectorError): void {
    if (this.#health.status !== 'ok') return;
    this.#health = { status: 'away', reason: error.message, since: this.#options.clock.now() };
    this.#options.events('embedded_log_degraded', { reason: error.message });
  }

  /** The failed records were given up. With nothing left to store, only a probe notices a recovery. */
  #probeLater(): void {
    if (this.#health.status === 'ok' || this.#fatal !== undefined || this.#stopped) return;
    this.#probe ??= this.#options.clock.after(PROBE_MS, () => {
      void this.#options.link.request({ kind: 'probe' }).then((outcome) => {
        this.#probe = undefined;
        if (outcome.kind === 'done') this.#noteRecovery();
        else if (outcome.kind === 'failed' && !outcome.error.retriable) this.#fail(outcome.error);
        else this.#probeLater();
      });
    });
  }

  #noteRecovery(): void {
    this.#failures = 0;
    if (this.#health.status === 'ok' || this.#fatal !== undefined) return;
    const ms = this.#options.clock.now() - this.#health.since;
    this.#health = { status: 'ok' };
    this.#options.events('embedded_log_recovered', { ms });
  }

  /** One timer for all deadlines. It is set for the first one, and again while deliveries are open. */
  #watch(deadline: number): void {
    if (this.#expiry !== undefined) {
      if (deadline >= this.#expiresAt) return;
      this.#expiry.cancel();
    }
    const { clock } = this.#options;
    this.#expiresAt = deadline;
    this.#expiry = clock.after(Math.max(1, deadline - clock.monotonic()), () => {
      this.#expiry = undefined;
      this.#expire(clock.monotonic());
      const next = Math.min(...this.#unsettledGroups().map((group) => group.deadline));
      if (Number.isFinite(next)) this.#watch(next);
    });
  }

  #unsettledGroups(): CommitGroup[] {
    return this.#inFlight === undefined ? this.#groups : [this.#inFlight, ...this.#groups];
  }

  #expire(now: number): void {
    const reason = this.#health.status === 'ok' ? 'the disk did not answer' : this.#health.reason;
    if (this.#inFlight !== undefined && this.#inFlight.deadline <= now) {
      this.#inFlight.fail(timeoutError(`${reason} (may have been stored)`));
    }
    const due = this.#groups.filter((group) => group.deadline <= now);
    for (const group of due) {
      this.#groups.splice(this.#groups.indexOf(group), 1);
      group.fail(timeoutError(`${reason} (not stored)`));
    }
    // Later records depend on the topics of the groups that were given up
    this.addTopics(due.flatMap((group) => group.topics));
  }
}

/** The log of a record. */
export interface LogPlace {
  readonly log: number;
  readonly compacted: boolean;
}

function timeoutError(reason: string): ConnectorError {
  return new ConnectorError('delivery_timeout', `not stored within the delivery timeout: ${reason}`);
}
