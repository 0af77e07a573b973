/** Something kept in a spool. */
export interface SpoolEntry {
  /** Grows with each entry of the spool, over restarts. */
  readonly place: number;
  readonly bytes: Uint8Array;
}

/** Where a spool is and how large it may become. */
export interface SpoolOptions {
  /** Made when it is missing, with mode 0700. One process at a time has it open. */
  readonly folder: string;
  /**
   * Most bytes on disk of entries that are not committed, with what surrounds them. Copies of damaged parts, kept for people,
   * may take 16 MiB more.
   */
  readonly maxBytes: number;
  /**
   * A new file is begun after so many bytes; room comes back in steps of this size. Default 64 MiB; never more than an eighth
   * of {@link maxBytes}, and 1 GiB.
   */
  readonly segmentBytes?: number;
}

/** What opening a spool found. */
export interface SpoolRecovery {
  /** Entries that an earlier run left uncommitted. */
  readonly entries: number;
  readonly bytes: number;
  /** Bytes at the end that were never acknowledged, or damaged ones: they were cut off. */
  readonly discardedBytes: number;
  /** Entries inside the files whose checksum is wrong: skipped, and kept in a separate file for inspection. */
  readonly damagedEntries: number;
  /** The newest entry that is still on the disk, committed or not; undefined when there is none. */
  readonly last: Uint8Array | undefined;
}

/**
 * A bounded first-in first-out log in one folder. What `append` has acknowledged survives a kill of the process and, on an honest
 * disk, a loss of power; it is handed out in order until it is committed, again after each opening.
 */
export interface Spool {
  readonly recovery: SpoolRecovery;
  /** Entries that wait for {@link take}. */
  readonly size: number;
  /** Bytes on disk of entries that are not committed. */
  readonly bytes: number;
  /** Entries that were lost to damage: those of {@link recovery}, and those met since when they were to be taken. */
  readonly damagedEntries: number;
  /** Whether entries of so many bytes together would be refused now. */
  isFull(bytes: number): boolean;
  /**
   * Keeps all of the entries, or none. Resolves with their places once they are on the disk (fdatasync, shared by all appends that
   * wait at the same time); with undefined when there is no room. Rejects when the disk refuses (`log_unavailable`, as a rule):
   * then none of them will be handed out, unless the disk refuses to cut them off, too, and the process is killed; later
   * appends are tried again. Rejects
   * with `record_too_large` what would not fit into an empty spool, with `closed` after {@link close}. The bytes must not
   * change until it is settled.
   */
  append(entries: readonly Uint8Array[]): Promise<readonly number[] | undefined>;
  /** Called whenever the size grows from 0; must not throw. */
  onArrival: (() => void) | undefined;
  /**
   * The next entries in order: at most `max`, and at most `maxBytes` together but at least one; none when there is none now, or
   * the spool is closed. They are views of larger chunks that were read. Rejects when the files cannot be read; the next call
   * tries again. Damaged entries are passed over, and counted.
   */
  take(max: number, maxBytes: number): Promise<readonly SpoolEntry[]>;
  /**
   * These entries are produced, or dropped permanently. In any order; what is known is kept on the disk within 200 ms, or 1 MiB:
   * what was committed since is handed out again after a kill. Does nothing after {@link close}.
   */
  commit(places: readonly number[]): void;
  /**
   * Keeps what is known, and closes the files. Appends that wait are finished first. Resolves after 10 s at the latest, when the
   * disk does not answer; appends are rejected then. Never rejects. Idempotent.
   */
  close(): Promise<void>;
}
