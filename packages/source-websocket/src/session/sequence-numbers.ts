import type { Clock } from '@levada/connect-runtime-core';
import type { ReceivedMessage } from '../config/match-rule.ts';
import type { SequencePlan } from '../config/session-plan.ts';

/** Numbers that are missing. */
export interface SequenceGap {
  readonly expected: number;
  readonly received: number;
}

/** What the number of a message says when it is not simply the next one. */
export interface PassedNumber extends SequenceGap {
  readonly kind: 'gap' | 'recovered' | 'restarted';
  /** What the message is numbered by, as it says; empty without a key. */
  readonly key: unknown;
  /** Whether the server is to be asked for a gap. */
  readonly ask: boolean;
}

type Compared = Omit<PassedNumber, 'key'>;

/** Missing numbers that the server was asked for. */
interface Requested {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** How many of them did not come yet. */
  left: number;
  /** When the server was asked: monotonic milliseconds. */
  readonly askedAt: number;
}

/** Most keys whose numbers are remembered; the first seen of more is forgotten, and begins again without a gap. */
const MAX_KEYS = 10_000;
/** Most characters of all these keys. */
const MAX_KEYS_LENGTH = 1024 * 1024;
/** Longest key, in characters of its JSON. Messages with a longer one count as having no number. */
const MAX_KEY_LENGTH = 1024;
/** Most requests for missing numbers that are open at once. For further gaps the server is not asked. */
const MAX_OPEN_REQUESTS = 10;
/** How long a request stays open when not everything that it asks for arrives, in milliseconds. Servers need not fill each gap. */
const REQUEST_OPEN_MS = 10_000;
/** Most requests whose answers are counted, open or not; the oldest of more is forgotten. */
const MAX_REQUESTED = 100;

/** The numbers of all messages so far, by key. Lives as long as the task, so that what is missing between two connections is seen. */
export class SequenceNumbers {
  readonly #plan: SequencePlan;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #last = new Map<string, number>();
  /** Characters of the keys of {@link #last}. */
  #keysLength = 0;
  #requested: Requested[] = [];
  /** From which number on the server may send again what it was asked for, by key. Only keys of {@link #last} are in it. */
  readonly #again = new Map<string, number>();

  constructor(plan: SequencePlan, clock: Pick<Clock, 'monotonic'>) {
    this.#plan = plan;
    this.#clock = clock;
  }

  /** The last number where there is one sequence. */
  get last(): number | undefined {
    return this.#last.get('');
  }

  /** Another connection: what was asked for on the one before is not sent any more. */
  reconnected(): void {
    this.#requested = [];
    this.#again.clear();
  }

  /** A message arrived. Undefined when it has the next number, or none. */
  passed({ json }: ReceivedMessage): PassedNumber | undefined {
    const received = numberOf(this.#plan.numberOf(json));
    if (received === undefined) return undefined;
    const own = this.#plan.keyOf?.(json) ?? '';
    const key = own === '' ? '' : JSON.stringify(own);
    if (key.length > MAX_KEY_LENGTH) return undefined;
    const passed = this.#compared(key, received);
    return passed === undefined ? undefined : { ...passed, key: own };
  }

  #compared(key: string, received: number): Compared | undefined {
    const last = this.#last.get(key);
    const expected = last === undefined ? received : last + 1;
    if (received < expected) return this.#passedBefore(key, expected, received);
    this.#remember(key, received);
    if (received === expected) return undefined;
    return { kind: 'gap', expected, received, ask: this.#ask(key, expected, received - 1) };
  }

  #passedBefore(key: string, expected: number, received: number): Compared | undefined {
    const requested = this.#requested.find(
      (each) => each.key === key && received >= each.from && received <= each.to,
    );
    if (requested !== undefined) {
      requested.left -= 1;
      if (requested.left === 0) this.#forget(requested);
      return { kind: 'recovered', expected, received, ask: false };
    }
    // The same message again, or more than was asked for: some servers send everything from a number to the newest one.
    if (received === expected - 1 || received >= (this.#again.get(key) ?? Number.POSITIVE_INFINITY))
      return undefined;
    this.#again.delete(key);
    this.#remember(key, received);
    return { kind: 'restarted', expected, received, ask: false };
  }

  #ask(key: string, from: number, to: number): boolean {
    const { replay, replayLimit } = this.#plan;
    if (replay === undefined || to - from >= replayLimit) return false;
    const askedAt = this.#clock.monotonic();
    // The oldest of the last ones: requests are in the order in which they were made.
    const oldest = this.#requested.at(-MAX_OPEN_REQUESTS);
    if (oldest !== undefined && askedAt - oldest.askedAt < REQUEST_OPEN_MS) return false;
    if (this.#requested.length >= MAX_REQUESTED) this.#requested.shift();
    this.#requested.push({ key, from, to, left: to - from + 1, askedAt });
    // Servers differ in whether they begin with the last number received or with the one after.
    this.#again.set(key, Math.min(from - 1, this.#again.get(key) ?? Number.POSITIVE_INFINITY));
    return true;
  }

  #forget(requested: Requested): void {
    this.#requested = this.#requested.filter((each) => each !== requested);
  }

  #remember(key: string, number: number): void {
    if (!this.#last.has(key)) {
      this.#keysLength += key.length;
      while (this.#last.size >= MAX_KEYS || this.#keysLength > MAX_KEYS_LENGTH) this.#forgetFirstKey();
    }
    this.#last.set(key, number);
  }

  #forgetFirstKey(): void {
    const [first = ''] = this.#last.keys();
    this.#last.delete(first);
    this.#again.delete(first);
    this.#keysLength -= first.length;
  }
}

/** A whole number that JSON can hold exactly, also one that is written as text. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d+$/.test(value)) return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
