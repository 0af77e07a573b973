import type { Logger } from '../diagnostics/logger.ts';
import type { Clock } from '../time/clock.ts';
import type { SourceOffset, SourcePartition } from './source-offset.ts';

/** How far one part of a source was delivered. */
export interface PartitionOffset {
  /** Names the part of the source. Flat; the order of its keys does not matter. */
  readonly partition: SourcePartition;
  readonly offset: SourceOffset;
}

/** What a store is opened with. */
export interface OffsetStoreContext {
  /** Name of the source that will use it. */
  readonly source: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborted when the source is closed: nothing is to be waited for any longer. */
  readonly signal: AbortSignal;
}

/**
 * Remembers how far sources were delivered, so that a service can resume after a restart: the `offsets` option of a source. Offsets are
 * written after their records were delivered, on an interval and when the source closes; a process that is killed in between
 * gets the records after the last write again (at least once). One store may serve several sources, which differ by name.
 */
export interface OffsetStore {
  /** How often offsets are written, in milliseconds. Nothing is written when nothing changed. Default 1000. */
  readonly flushIntervalMs?: number | undefined;
  /** Called once by each source, before it is started. A rejection fails the source. */
  open?(context: OffsetStoreContext): Promise<void>;
  /** The offset that was written last for this part of the source; undefined when there is none. A rejection fails the source. */
  read(source: string, partition: SourcePartition): Promise<SourceOffset | undefined>;
  /**
   * Stores offsets, one per partition. Resolves when all of them are stored durably. After a rejection the same or later
   * offsets are written with the next interval. One call at a time for each source.
   */
  write(source: string, offsets: readonly PartitionOffset[]): Promise<void>;
  /** Called once by each source for which {@link open} was called, after its last write. */
  close?(source: string): Promise<void>;
}
