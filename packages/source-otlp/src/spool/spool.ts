/** Something kept in a spool. */
export interface SpoolEntry {
  /** Grows with each entry of the spool, over restarts. */
  readonly place: number;
  readonly bytes: Uint8Array;
}

/** Where a spool lies and how large it may become. */
export interface SpoolOptions {
  /** Made when it is missing, with mode 0700. One process at a time has it open. */
  readonly folder: string;
  /** Most bytes on disk of entries that are not committed, with what surrounds them. */
  readonly maxBytes: number;
  /** A new file is begun after so many bytes. Default 64 MiB. */
  readonly segmentBytes?: number;
}

/** What opening a spool found. */
export interface SpoolRecovery {
  /** Entries that an earlier run left uncommitted. */
  readonly entries: number;
  readonly bytes: number;
  /** Bytes at the end that were never acknowledged, or damaged ones: they were cut off. */
  readonly discardedBytes: number;
  /** Entries inside the files whose checksum is wrong: skipped, and kept in a file beside for people to look at. */
  readonly damagedEntries: number;
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
  /** Whether entries of so many bytes together would be refused now. */
  full(bytes: number): boolean;
  /**
   * Keeps all of the entries, or none. Resolves with their places once they are on the disk (fdatasync, shared by all appends that
   * wait at the same time); with undefined when there is no room. Rejects when the disk refuses: then none of them will be
   * handed out, and later appends are tried anew.
   */
  append(entries: readonly Uint8Array[]): Promise<readonly number[] | undefined>;
  /** Called with what wakes {@link take}'s caller whenever the size grows from 0. */
  onArrival: (() => void) | undefined;
  /** The next entries in order: at most `max`, and at most `maxBytes` together but at least one; none when there is none now. */
  take(max: number, maxBytes: number): Promise<readonly SpoolEntry[]>;
  /** These entries are produced, or dropped for good. In any order; what is known is kept on the disk now and then. */
  commit(places: readonly number[]): void;
  /** Keeps what is known, and closes the files. Appends that wait are finished first. Idempotent. */
  close(): Promise<void>;
}
