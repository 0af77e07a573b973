import type {
  CompactedLog,
  CompactedLogOptions,
  CompactedRecord,
  LogPlatform,
} from '../platform/log-platform.ts';
import { encodeText } from './stored-json.ts';

/** The compacted log under a store. Not open at first; whatever is asked of it before rejects. */
export class StoreLog {
  #log: CompactedLog | undefined;
  #closed = false;

  /** Reads the topic to its end. May be called again after a rejection. */
  async open(platform: LogPlatform, options: CompactedLogOptions, signal?: AbortSignal): Promise<void> {
    const log = await platform.compactedLog(options, signal);
    this.#log = log;
    // Closed while it was being opened.
    if (this.#closed) await log.close();
  }

  /** Stores a value; null deletes. A key is a text, or bytes as they were read. */
  async put(key: string | Uint8Array, value: string | null): Promise<void> {
    const bytes = typeof key === 'string' ? encodeText(key) : key;
    await this.#opened().put(bytes, value === null ? null : encodeText(value));
  }

  /** Resolves when everything written so far, by anyone, was read. */
  async readToEnd(signal?: AbortSignal): Promise<void> {
    await this.#opened().readToEnd(signal);
  }

  /** Stops following. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#log?.close();
  }

  #opened(): CompactedLog {
    if (this.#log === undefined) throw new Error('the store is not open');
    return this.#log;
  }
}

export interface StoreOptions {
  /** Names the store's connection towards the log, for example `<group.id>-configs`. */
  readonly clientId: string;
  /** A record that does not belong in the topic. It is passed over, and the rest is read. */
  readonly onSkipped: (record: CompactedRecord) => void;
}
