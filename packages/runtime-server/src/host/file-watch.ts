import { stat } from 'node:fs/promises';
import type { Clock, Timer } from '@levada/connect-runtime-core';

/** Time between two looks. */
const EVERY_MS = 5_000;

export interface FileWatchOptions {
  readonly files: readonly string[];
  readonly clock: Clock;
  /** Called when a file is another one than at the look before. Throws or rejects when it could not use them: then it is called again at the next look. */
  readonly changed: () => void | Promise<void>;
}

/**
 * Notices that files were changed, by looking at them every 5 s: that works for files that are replaced, for links that are moved, as container
 * platforms do with secrets, and for file systems of the network.
 */
export class FileWatch {
  readonly #options: FileWatchOptions;
  #seen: string | undefined;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(options: FileWatchOptions) {
    this.#options = options;
  }

  /** Takes the files as they are now for known. */
  async start(): Promise<void> {
    this.#seen = await this.#look();
    this.#again();
  }

  /** No more looks. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #again(): void {
    if (this.#stopped || this.#options.files.length === 0) return;
    this.#timer = this.#options.clock.after(EVERY_MS, () => void this.#compare());
  }

  async #compare(): Promise<void> {
    const found = await this.#look();
    if (found !== this.#seen && !this.#stopped) {
      try {
        await this.#options.changed();
        this.#seen = found;
      } catch {
        // The caller has logged why. A file that is being written is complete at one of the next looks.
      }
    }
    this.#again();
  }

  async #look(): Promise<string> {
    const looks = this.#options.files.map(async (file) => {
      try {
        const { ino, size, mtimeMs } = await stat(file);
        return `${ino} ${size} ${mtimeMs}`;
      } catch {
        return 'none'; // which is a change as well
      }
    });
    return (await Promise.all(looks)).join('\n');
  }
}
