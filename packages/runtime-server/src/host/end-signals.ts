import type { Clock } from '@levada/connect-runtime-core';

const numbers = { SIGTERM: 15, SIGINT: 2 } as const;

/** Signals that ask a process to end. */
export type EndSignal = keyof typeof numbers;

/** A repeat within this time is the same request: npm hands on the Ctrl+C that the terminal has already sent. */
const ECHO_MS = 250;

export interface EndSignalOptions {
  readonly events: { on(event: EndSignal, listener: () => void): unknown };
  readonly clock: Clock;
  /** Called once, on the first signal. */
  readonly onFirst: (signal: EndSignal) => void;
  /** Ends the process at once, on the second one: 128 and the signal's number, as shells report it. */
  readonly exit: (code: number) => void;
}

/** Watches for the wish to end: the first signal asks, a second one insists. */
export function watchEndSignals({ events, clock, onFirst, exit }: EndSignalOptions): void {
  let first: { readonly signal: EndSignal; readonly at: number } | undefined;
  const heard = (signal: EndSignal): void => {
    if (first === undefined) {
      first = { signal, at: clock.monotonic() };
      onFirst(signal);
      return;
    }
    const isEcho = signal === first.signal && clock.monotonic() - first.at < ECHO_MS;
    if (!isEcho) exit(128 + numbers[signal]);
  };
  events.on('SIGTERM', () => heard('SIGTERM'));
  events.on('SIGINT', () => heard('SIGINT'));
}
