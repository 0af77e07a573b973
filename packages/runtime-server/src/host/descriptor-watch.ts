import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Clock, EventLog, Timer } from '@levada/connect-runtime-core';
import type { workerEvents } from '../telemetry/worker-events.ts';

/** Time between two looks. */
const EVERY_MS = 1000;
/** Error codes of the system when the process, or the whole machine, has as many files open as allowed. */
const exhausted: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

export interface DescriptorWatchOptions {
  readonly clock: Clock;
  readonly log: EventLog<typeof workerEvents>;
}

/**
 * Notices that the process has no file descriptor left. Nothing else says so: Node accepts a connection with a descriptor
 * that it keeps for that, closes it, and emits neither `error` nor `drop` (`uv__emfile_trick` of libuv). So the watch opens
 * one itself each second.
 */
export class DescriptorWatch {
  readonly #options: DescriptorWatchOptions;
  #timer: Timer | undefined;
  #found = 0;

  constructor(options: DescriptorWatchOptions) {
    this.#options = options;
  }

  /** How many looks found none left. */
  get found(): number {
    return this.#found;
  }

  /** The first look follows in a second. */
  start(): void {
    this.#timer = this.#options.clock.after(EVERY_MS, () => {
      this.#look();
      this.start();
    });
  }

  /** No more looks. */
  stop(): void {
    this.#timer?.cancel();
  }

  #look(): void {
    try {
      closeSync(openSync(devNull, 'r'));
    } catch (thrown) {
      // Other reasons why the device cannot be opened do not matter here.
      if (!(thrown instanceof Error && 'code' in thrown && exhausted.has(thrown.code))) return;
      this.#found += 1;
      this.#options.log(
        'descriptors_exhausted',
        { code: thrown.code },
        'no file descriptor is left: new connections are closed at once, and files cannot be opened; raise the limit ' +
          '(ulimit -n, LimitNOFILE= of systemd), or find what keeps so many connections or files open',
      );
    }
  }
}
