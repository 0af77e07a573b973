import type { Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { PlatformHealth } from '@levada/connect-runtime-core/platform';

interface Problem {
  readonly reason: string;
  readonly since: number;
}

interface Trouble extends Problem {
  /** Monotonic time from which it counts. */
  readonly countsFrom: number;
}

/**
 * How long a topic may be without a leader, or unknown to a broker, before that is trouble. Both are normal for a moment after
 * a topic was created and while its leader moves.
 */
const SETTLING_MS = 5_000;

/** Health of the cluster: whether brokers answer, and which operations fail nevertheless. */
export class KafkaHealth {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Trouble>();
  /** By client. */
  readonly #away = new Map<string, Problem>();

  /** Counts as down until this client reaches a broker. */
  constructor(clock: Clock, client: string) {
    this.#clock = clock;
    this.#away.set(client, { reason: 'no broker was reached yet', since: clock.now() });
  }

  /** A broker answered this client, or the client was closed. Returns true when every client is well again by that. */
  reached(client: string): boolean {
    return this.#away.delete(client) && this.#away.size === 0;
  }

  /** No broker answered this client. */
  unreachable(client: string, error: ConnectorError): void {
    const since = this.#away.get(client)?.since ?? this.#clock.now();
    this.#away.set(client, { reason: error.message, since });
  }

  /** Notes that an operation fails or, without an error, works again. */
  trouble(part: string, error: ConnectorError | undefined): void {
    this.#note(part, error, 0);
  }

  /** Notes that a topic has trouble or has recovered. A retriable error counts only when it lasts. Returns whether it counts. */
  topicTrouble(topic: string, error: ConnectorError | undefined): boolean {
    const part = `topic ${topic}`;
    this.#note(part, error, error?.retriable === true ? SETTLING_MS : 0);
    const noted = this.#troubles.get(part);
    return noted !== undefined && this.#counts(noted);
  }

  /** The last that is known. */
  current(): PlatformHealth {
    const [away] = this.#away.values();
    if (away !== undefined) return { status: 'down', ...away };
    const first = [...this.#troubles.values()].find((trouble) => this.#counts(trouble));
    if (first === undefined) return { status: 'up' };
    return { status: 'degraded', reason: first.reason, since: first.since };
  }

  #note(part: string, error: ConnectorError | undefined, settlingMs: number): void {
    if (error === undefined) {
      this.#troubles.delete(part);
      return;
    }
    const countsFrom = this.#clock.monotonic() + settlingMs;
    const before = this.#troubles.get(part) ?? { since: this.#clock.now(), countsFrom };
    this.#troubles.set(part, {
      reason: error.message,
      since: before.since,
      countsFrom: Math.min(before.countsFrom, countsFrom),
    });
  }

  #counts({ countsFrom }: Trouble): boolean {
    return this.#clock.monotonic() >= countsFrom;
  }
}
