import type { Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { PlatformHealth } from '@levada/connect-runtime-core/platform';

interface Problem {
  readonly reason: string;
  readonly since: number;
}

interface Trouble extends Problem {
  /** Monotonic time from which the problem counts. */
  readonly countsFrom: number;
  /** False: the worker cannot work without this topic. */
  readonly isPartial: boolean;
}

interface Throttle extends Problem {
  /** Monotonic time until which the throttling counts. */
  readonly countsUntil: number;
}

/**
 * How long a topic may lack a leader, or be unknown to a broker, before that is a problem, in milliseconds. Both are normal after
 * a topic was created and while its leader moves.
 */
const SETTLING_MS = 5_000;

/**
 * How long a client counts as throttled after a wait, in milliseconds. Between waits it sends, and brokers measure quotas over 11
 * s (`quota.window.num` samples of `quota.window.size.seconds`).
 */
const THROTTLED_MS = 11_000;

/** Health of the cluster: whether brokers answer, and which operations fail. */
export class KafkaHealth {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Trouble>();
  /** By client. */
  readonly #throttles = new Map<string, Throttle>();
  /** Open clients that write records. The client of the stores writes too little to count. */
  readonly #producers = new Set<string>();
  /** Unreachable brokers, by client. */
  readonly #away = new Map<string, Problem>();

  /** The state is down until this client reaches a broker. */
  constructor(clock: Clock, client: string) {
    this.#clock = clock;
    this.#away.set(client, { reason: 'no broker was reached yet', since: clock.now() });
  }

  /** A broker answered this client, or the client was closed. Returns whether all clients are healthy again because of that. */
  noteReached(client: string): boolean {
    return this.#away.delete(client) && this.#away.size === 0;
  }

  /** No broker answered this client. */
  noteUnreachable(client: string, error: ConnectorError): void {
    const since = this.#away.get(client)?.since ?? this.#clock.now();
    this.#away.set(client, { reason: error.message, since });
  }

  /** Notes that an operation fails or, without an error, works again. */
  trouble(part: string, error: ConnectorError | undefined): void {
    this.#note(part, error, { settlingMs: 0, isPartial: true });
  }

  /** A producer of records was opened. If all of them are throttled, the whole log counts as throttled. */
  noteProducer(clientId: string): void {
    this.#producers.add(partOf(clientId));
  }

  /** A broker throttles this client for this time. */
  noteThrottle(client: string, ms: number): void {
    const now = this.#clock.monotonic();
    const before = this.#throttles.get(client);
    const continues = before !== undefined && before.countsUntil >= now;
    this.#throttles.set(client, {
      reason: `brokers throttle ${client} because of a quota: they asked to wait ${ms} ms`,
      since: continues ? before.since : this.#clock.now(),
      countsUntil: now + ms + THROTTLED_MS,
    });
  }

  /** The client was closed. */
  forget(client: string): void {
    this.#producers.delete(client);
    this.#troubles.delete(client);
    this.#throttles.delete(client);
  }

  /** Notes a problem or the recovery of a topic. A retriable error counts only if it lasts. Returns whether it counts. */
  topicTrouble(
    topic: string,
    error: ConnectorError | undefined,
    { isPartial }: { readonly isPartial: boolean },
  ): boolean {
    const part = `topic ${topic}`;
    this.#note(part, error, { settlingMs: error?.retriable === true ? SETTLING_MS : 0, isPartial });
    const noted = this.#troubles.get(part);
    return noted !== undefined && this.#counts(noted);
  }

  /** Whether a client reaches no broker. */
  get isAway(): boolean {
    return this.#away.size > 0;
  }

  /** The last known health. With a client id, that of this producer and of the whole cluster. */
  current(producer?: string): PlatformHealth {
    const [away] = this.#away.values();
    if (away !== undefined) return { status: 'away', ...away };
    const own = producer === undefined ? undefined : partOf(producer);
    const concerns = (part: string): boolean => own === undefined || part === own;
    const troubles = [...this.#troubles].flatMap(([part, trouble]) =>
      this.#counts(trouble) && (!trouble.isPartial || concerns(part)) ? [trouble] : [],
    );
    const worst = troubles.find(({ isPartial }) => !isPartial) ?? troubles[0];
    if (worst !== undefined) {
      const { reason, since, isPartial } = worst;
      return { status: 'away', reason, since, ...(isPartial ? { isPartial } : {}) };
    }
    const throttles = [...this.#throttles].flatMap(([part, throttle]) =>
      this.#isThrottled(part) && concerns(part) ? [throttle] : [],
    );
    const [throttle] = throttles;
    if (throttle === undefined) return { status: 'ok' };
    const since = Math.min(...throttles.map((each) => each.since));
    const isWhole = this.#producers.size > 0 && [...this.#producers].every((part) => this.#isThrottled(part));
    return { status: 'throttled', reason: throttle.reason, since, ...(isWhole ? {} : { isPartial: true }) };
  }

  #isThrottled(part: string): boolean {
    const throttle = this.#throttles.get(part);
    return throttle !== undefined && throttle.countsUntil >= this.#clock.monotonic();
  }

  #note(
    part: string,
    error: ConnectorError | undefined,
    { settlingMs, isPartial }: { readonly settlingMs: number; readonly isPartial: boolean },
  ): void {
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
      isPartial,
    });
  }

  #counts({ countsFrom }: Trouble): boolean {
    return this.#clock.monotonic() >= countsFrom;
  }
}

/** The name under which a producer reports. */
function partOf(clientId: string): string {
  return `producer ${clientId}`;
}
