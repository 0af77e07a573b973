import type { Clock, Timer } from '@levada/connect-runtime-core';

export interface KeepaliveOptions {
  readonly clock: Clock;
  /** Time without bytes read after which a ping is sent. */
  readonly timeMs: number;
  readonly timeoutMs: number;
  /** Sends a ping; `answered` is called when the answer arrives. */
  readonly ping: (answered: () => void) => void;
  /** Bytes read from the connection so far: whatever arrives shows that it lives. */
  readonly bytesRead: () => number;
  readonly onDead: () => void;
}

/** Looks per keepalive time: a ping is late by at most one part of this many. Nothing has to be noted per read then. */
const LOOKS = 10;
/** Shortest time between looks, in milliseconds. */
const MIN_LOOK_MS = 50;

/** Pings a connection on which nothing arrives, with or without calls, and gives it up when nothing comes back. */
export class Keepalive {
  readonly #options: KeepaliveOptions;
  #timer: Timer | undefined;
  #bytes = 0;
  #quietSince = 0;
  #stopped = false;

  constructor(options: KeepaliveOptions) {
    this.#options = options;
  }

  start(): void {
    if (!this.#stopped) this.#heard();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #heard(): void {
    this.#bytes = this.#options.bytesRead();
    this.#quietSince = this.#options.clock.monotonic();
    this.#scheduleLook(this.#options.timeMs);
  }

  #scheduleLook(leftMs: number): void {
    const step = Math.min(leftMs, Math.max(MIN_LOOK_MS, this.#options.timeMs / LOOKS));
    this.#timer = this.#options.clock.after(step, () => this.#look());
  }

  #look(): void {
    const { clock, timeMs, bytesRead } = this.#options;
    const leftMs = this.#quietSince + timeMs - clock.monotonic();
    if (bytesRead() !== this.#bytes) this.#heard();
    else if (leftMs > 0) this.#scheduleLook(leftMs);
    else this.#ping();
  }

  #ping(): void {
    const { clock, timeoutMs, ping } = this.#options;
    const timer = clock.after(timeoutMs, () => this.#late());
    this.#timer = timer;
    ping(() => {
      // Not the answer to a ping that other bytes made superfluous.
      if (this.#stopped || this.#timer !== timer) return;
      timer.cancel();
      this.#heard();
    });
  }

  /** When this process stood still, its timers run before it reads what arrived meanwhile: look again after that. */
  #late(): void {
    setImmediate(() => {
      if (this.#stopped) return;
      if (this.#options.bytesRead() !== this.#bytes) this.#heard();
      else this.#options.onDead();
    });
  }
}
