import { type Clock, ConnectorError, type EventLog, type Timer } from '@levada/connect-runtime-core';
import type { LogRecord, PlatformHealth } from '@levada/connect-runtime-core/platform';
import type { TopicRow } from '../model/commit-protocol.ts';
import type { embeddedLogEvents } from '../model/log-events.ts';
import { BatchBuffers, CommitGroup } from './commit-group.ts';
import type { CommitLink, FailedRequest } from './commit-link.ts';
import { PendingSend } from './pending-send.ts';

/** Time between two looks whether storing works again, when nothing is left to be stored. */
const PROBE_MS = 1000;
/** Pause after a failed commit, doubled each time up to the longest. */
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
 * Group commit: one group is on its way to the disk, and what is handed over meanwhile gathers in the next. A group that
 * meets a passing failure is tried again as it is, until its deliveries are due to be given up.
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

  /** Watches the thread: without it nothing can be stored, and that shows also while there is nothing to store. */
  start(): void {
    // ends with the thread; never rejects
    void this.#options.link.ended.then((error) => {
      this.#fail(error);
      this.failAll(error);
    });
  }

  /** How storing goes. */
  get health(): PlatformHealth {
    return this.#health;
  }

  /** Starts a delivery that is given up after `timeoutMs`. */
  begin(records: number, timeoutMs: number): PendingSend {
    return new PendingSend(records, this.#options.clock.monotonic() + timeoutMs);
  }

  /** The group that takes the next records of the delivery. It may be another after each record. */
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

  /** Copies the records for which `place` names a log; `place` notes the others as refused. */
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

  /** Topics to be stored with the next commit, ahead of every record that is not on its way yet. */
  addTopics(topics: readonly TopicRow[]): void {
    if (topics.length === 0) return;
    const first = this.#groups[0] ?? this.#addGroup();
    first.topics = [...first.topics, ...topics];
  }

  /** Lets a delivery without records wait for everything that was handed over so far. */
  follow(delivery: PendingSend): void {
    this.groupFor(delivery).share(delivery, 0, 0);
    this.submit(delivery);
  }

  /** Everything of the delivery is handed over: starts a commit when none is on its way. */
  submit(delivery: PendingSend): void {
    delivery.stored();
    this.pump();
    if (!delivery.settled) this.#watch(delivery.deadline);
  }

  /** Starts the next commit if there is something to store and nothing on its way. */
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

  /** Gives up all that is not on its way, and what is on its way too, with this error. */
  failAll(error: ConnectorError): void {
    this.#inFlight?.fail(error);
    for (const group of this.#groups.splice(0)) group.fail(error);
  }

  /** Stops all timers, and takes the end of the thread for what is wanted. */
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
    if (outcome.kind === 'failed') this.#failed(group, outcome);
    else if (outcome.kind === 'done') {
      this.#buffers.give(outcome.buffers);
      // A transaction that writes nothing succeeds on a full disk too.
      if (group.writes) this.#recovered();
      this.#options.onCommitted(group);
      group.succeed();
    }
    this.pump();
  }

  #failed(group: CommitGroup, { error, buffers }: FailedRequest): void {
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

  /** Nothing can be stored any more. */
  #fail(error: ConnectorError): void {
    if (this.#fatal !== undefined || this.#stopped) return;
    this.#fatal = error;
    this.#health = { status: 'away', reason: error.message, since: this.#options.clock.now() };
    this.#options.events('embedded_log_failed', { reason: error.message });
  }

  /** Nothing can be stored at the moment. */
  #failing(error: ConnectorError): void {
    if (this.#health.status !== 'ok') return;
    this.#health = { status: 'away', reason: error.message, since: this.#options.clock.now() };
    this.#options.events('embedded_log_degraded', { reason: error.message });
  }

  /** What failed was given up: with nothing left to store, a recovery would go unnoticed. */
  #probeLater(): void {
    if (this.#health.status === 'ok' || this.#fatal !== undefined || this.#stopped) return;
    this.#probe ??= this.#options.clock.after(PROBE_MS, () => {
      void this.#options.link.request({ kind: 'probe' }).then((outcome) => {
        this.#probe = undefined;
        if (outcome.kind === 'done') this.#recovered();
        else if (outcome.kind === 'failed' && !outcome.error.retriable) this.#fail(outcome.error);
        else this.#probeLater();
      });
    });
  }

  #recovered(): void {
    this.#failures = 0;
    if (this.#health.status === 'ok' || this.#fatal !== undefined) return;
    const ms = this.#options.clock.now() - this.#health.since;
    this.#health = { status: 'ok' };
    this.#options.events('embedded_log_recovered', { ms });
  }

  /** One timer for all deadlines: set for the first, set again while something is open, gone once nothing is. */
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
      const next = Math.min(...this.#unsettled().map((group) => group.deadline));
      if (Number.isFinite(next)) this.#watch(next);
    });
  }

  #unsettled(): CommitGroup[] {
    return this.#inFlight === undefined ? this.#groups : [this.#inFlight, ...this.#groups];
  }

  #expire(now: number): void {
    const reason = this.#health.status === 'ok' ? 'the disk did not answer' : this.#health.reason;
    if (this.#inFlight !== undefined && this.#inFlight.deadline <= now) {
      this.#inFlight.fail(expired(`${reason} (may have been stored)`));
    }
    const due = this.#groups.filter((group) => group.deadline <= now);
    for (const group of due) {
      this.#groups.splice(this.#groups.indexOf(group), 1);
      group.fail(expired(`${reason} (not stored)`));
    }
    // Records that follow count on the topics of a group that was given up.
    this.addTopics(due.flatMap((group) => group.topics));
  }
}

/** Where a record goes. */
export interface LogPlace {
  readonly log: number;
  readonly compacted: boolean;
}

function expired(reason: string): ConnectorError {
  return new ConnectorError('delivery_timeout', `not stored within the delivery timeout: ${reason}`);
}
