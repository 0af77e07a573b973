import type { Clock, ConnectorError, PlatformHealth } from '@levada/connect-runtime-core';

interface Problem {
  readonly reason: string;
  readonly since: number;
}

/** What is known of the cluster: whether brokers answer, and which parts of the work have trouble all the same. */
export class KafkaHealth {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Problem>();
  /** By client. */
  readonly #away = new Map<string, Problem>();

  /** The client that is named here is missed from the start. */
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
    const [away] = this.#away.values();
    if (away !== undefined) return { status: 'down', ...away };
    const [first] = this.#troubles.values();
    return first === undefined ? { status: 'up' } : { status: 'degraded', ...first };
  }
}
