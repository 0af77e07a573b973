import type { Clock, ConnectorError, PlatformHealth } from '@levada/connect-runtime-core';

interface Problem {
  readonly reason: string;
  readonly since: number;
}

/** What is known of the cluster: whether brokers answer, and which parts of the work have trouble all the same. */
export class KafkaHealth {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Problem>();
  #away: Problem | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#away = { reason: 'no broker was reached yet', since: clock.now() };
  }

  /** A broker answered. Returns true when none did before. */
  reached(): boolean {
    const before = this.#away;
    this.#away = undefined;
    return before !== undefined;
  }

  /** No broker answered. */
  unreachable(error: ConnectorError): void {
    this.#away = { reason: error.message, since: this.#away?.since ?? this.#clock.now() };
  }

  /** One part has trouble, or, without an error, has none any more. */
  trouble(part: string, error: ConnectorError | undefined): void {
    if (error === undefined) this.#troubles.delete(part);
    else {
      const since = this.#troubles.get(part)?.since ?? this.#clock.now();
      this.#troubles.set(part, { reason: error.message, since });
    }
  }

  /** The last that is known. */
  current(): PlatformHealth {
    if (this.#away !== undefined) return { status: 'down', ...this.#away };
    const [first] = this.#troubles.values();
    return first === undefined ? { status: 'up' } : { status: 'degraded', ...first };
  }
}
