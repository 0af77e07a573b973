import { canonicalJson, type SourceOffset, type SourcePartition } from '../contract/source-offset.ts';
import type { SourceRecord } from '../contract/source-record.ts';

/** The offset of one record that is on its way to the log; {@link OffsetTracker.ack} takes it back. */
export interface SubmittedOffset {
  readonly offset: SourceOffset;
  readonly lane: Lane;
  acked: boolean;
}

/** How far one source partition may be committed. */
export interface CommittableOffset {
  readonly partition: SourcePartition;
  readonly offset: SourceOffset;
}

/** What was submitted of one source partition, in order; everything before `head` is acknowledged. */
interface Lane {
  readonly key: string;
  readonly partition: SourcePartition;
  readonly waiting: SubmittedOffset[];
  head: number;
  committable: SourceOffset | undefined;
  forgotten: boolean;
}

/** What knows which offsets may be stored: an {@link OffsetTracker}, as those see it who deliver records. */
export interface OffsetTracking {
  /** A record is on its way. In the order in which records were handed out. Undefined: it has no offset. */
  submit(record: SourceRecord): SubmittedOffset | undefined;
  /** It was delivered, or given up on purpose. In any order. */
  ack(submitted: SubmittedOffset): void;
}

/** Acknowledged entries at the front of a lane are cut off when there are this many. */
const COMPACT_AT = 1024;

/**
 * Knows which offsets may be committed: records are submitted in poll order and acknowledged in any order, and of each
 * source partition the last offset of the acknowledged prefix is committable. No input or output, no timers.
 * Corresponds to Kafka Connect's `SubmittedRecords`.
 */
export class OffsetTracker implements OffsetTracking {
  readonly #lanes = new Map<string, Lane>();
  readonly #byIdentity = new WeakMap<SourcePartition, Lane>();
  readonly #ready = new Set<Lane>();
  /** Lane of the record submitted last. */
  #last: Lane | undefined;

  /** Remembers a record's offset. Undefined, at no cost, for a record without source partition or offset. */
  submit(record: SourceRecord): SubmittedOffset | undefined {
    const { sourcePartition, sourceOffset } = record;
    if (sourcePartition === null || sourceOffset === null) return undefined;
    const lane = this.#lane(sourcePartition);
    const submitted = { offset: sourceOffset, lane, acked: false };
    lane.waiting.push(submitted);
    return submitted;
  }

  /** The record is stored, or was given up on purpose. Acknowledging twice does nothing. */
  ack(submitted: SubmittedOffset): void {
    submitted.acked = true;
    const { lane } = submitted;
    if (lane.waiting[lane.head] !== submitted) return;
    // It is in the set already when it has something to commit.
    if (lane.committable === undefined) this.#ready.add(lane);
    let next: SubmittedOffset | undefined = submitted;
    while (next?.acked) {
      lane.committable = next.offset;
      lane.head += 1;
      next = lane.waiting[lane.head];
    }
    compact(lane);
  }

  /** Takes what became committable since the last call: one offset per source partition. */
  committable(): readonly CommittableOffset[] {
    const offsets: CommittableOffset[] = [];
    for (const lane of this.#ready) {
      if (lane.committable !== undefined) {
        offsets.push({ partition: lane.partition, offset: lane.committable });
      }
      lane.committable = undefined;
      if (lane.waiting.length === 0) this.#forget(lane);
    }
    this.#ready.clear();
    return offsets;
  }

  /** The records of one batch have one partition most of the time, in one object or in one each. */
  #lane(partition: SourcePartition): Lane {
    const last = this.#last;
    if (last !== undefined && !last.forgotten && isSame(last.partition, partition)) return last;
    const known = this.#byIdentity.get(partition);
    const lane = known === undefined || known.forgotten ? this.#laneOf(partition) : known;
    this.#last = lane;
    return lane;
  }

  #laneOf(partition: SourcePartition): Lane {
    const key = canonicalJson(partition);
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const lane = { key, partition, waiting: [], head: 0, committable: undefined, forgotten: false };
    this.#lanes.set(key, lane);
    // Not each object of a partition: remembering one takes longer than all else that is done for a record.
    this.#byIdentity.set(partition, lane);
    return lane;
  }

  /** Sources may name any number of partitions in a long life: an idle one costs nothing. */
  #forget(lane: Lane): void {
    lane.forgotten = true;
    this.#lanes.delete(lane.key);
  }
}

function isSame(one: SourcePartition, other: SourcePartition): boolean {
  if (one === other) return true;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && one[name] === other[name]);
}

function compact(lane: Lane): void {
  if (lane.head === lane.waiting.length) lane.waiting.length = 0;
  else if (lane.head >= COMPACT_AT && lane.head * 2 > lane.waiting.length) lane.waiting.splice(0, lane.head);
  else return;
  lane.head = 0;
}
