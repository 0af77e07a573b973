import type { ConnectorError } from '../diagnostics/connector-error.ts';
import type { LogRecord } from '../platform/log-platform.ts';

/** What a test makes a scripted log do. Everything holds from the next batch on, until it is changed again. */
export interface LogFaults {
  /** Each batch takes this long on the clock, one after the other. 0: at once. */
  slow(ms: number): void;
  /**
   * The log cannot be reached: producers keep what they are given and try again until {@link comeBack} or their
   * `delivery.timeout.ms`; everything else rejects with a retriable `log_unavailable`.
   */
  goAway(reason?: string): void;
  comeBack(): void;
  /** Asked for each record: an error fails the record for good, unstored; the rest of its batch is stored. */
  refuse(decide: (record: LogRecord) => ConnectorError | undefined): void;
  /** The next `batches` fail as a whole with this error, and are not stored. */
  fail(error: ConnectorError, batches?: number): void;
  /** The next `batches` are stored, and answered with `delivery_timeout` all the same: the answer was lost on its way. */
  loseAnswers(batches?: number): void;
  /** Batches are stored, but no answer is given until {@link release}. */
  hold(): void;
  /** Gives the oldest `batches` held answers; without a number, gives all and ends the hold. */
  release(batches?: number): void;
  /** Another producer has taken over: everything unsettled, and everything sent later, is `fenced`. */
  fence(): void;
}

/** The script as the log's parts read it. */
export interface FaultState extends LogFaults {
  readonly delayMs: number;
  readonly away: string | undefined;
  readonly fenced: boolean;
  readonly decide: (record: LogRecord) => ConnectorError | undefined;
  /** Uses up one batch of {@link LogFaults.fail}. */
  takeFailure(): ConnectorError | undefined;
  /** Uses up one batch of {@link LogFaults.loseAnswers}. */
  takeLostAnswer(): boolean;
  /** Resolves when the answer of a stored batch may be given. Undefined: at once. */
  held(): Promise<void> | undefined;
  /** Resolves at the next change of `away` or `fenced`. */
  changed(): Promise<void>;
}

/** A script in which nothing goes wrong yet. */
export function createFaults(): FaultState {
  return new Faults();
}

class Faults implements FaultState {
  delayMs = 0;
  away: string | undefined;
  fenced = false;
  decide: FaultState['decide'] = () => undefined;
  readonly #failures: ConnectorError[] = [];
  #lostAnswers = 0;
  #holding = false;
  readonly #held: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  slow(ms: number): void {
    this.delayMs = ms;
  }

  goAway(reason = 'the log is away'): void {
    this.away = reason;
    this.#wake();
  }

  comeBack(): void {
    this.away = undefined;
    this.#wake();
  }

  refuse(decide: FaultState['decide']): void {
    this.decide = decide;
  }

  fail(error: ConnectorError, batches = 1): void {
    for (let i = 0; i < batches; i += 1) this.#failures.push(error);
  }

  loseAnswers(batches = 1): void {
    this.#lostAnswers += batches;
  }

  hold(): void {
    this.#holding = true;
  }

  release(batches?: number): void {
    if (batches === undefined) this.#holding = false;
    for (const give of this.#held.splice(0, batches ?? this.#held.length)) give();
  }

  fence(): void {
    this.fenced = true;
    this.#wake();
  }

  takeFailure(): ConnectorError | undefined {
    return this.#failures.shift();
  }

  takeLostAnswer(): boolean {
    if (this.#lostAnswers === 0) return false;
    this.#lostAnswers -= 1;
    return true;
  }

  held(): Promise<void> | undefined {
    if (!this.#holding) return undefined;
    return new Promise((resolve) => this.#held.push(resolve));
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
