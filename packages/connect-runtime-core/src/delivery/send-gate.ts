import type { SourceRecord } from '../contract/source-record.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { type BackoffPolicy, backoffDelay } from '../time/backoff.ts';
import type { Clock } from '../time/clock.ts';
import type { SchemaPreparation } from './schema-preparation.ts';
import type { TopicAdmission } from './topic-admission.ts';

export interface SendGateOptions {
  readonly admission: TopicAdmission;
  /** For converters that have to ask another system about a new schema. */
  readonly preparation?: SchemaPreparation;
  /** False while it is unsure that this worker still owns the task; nothing is sent then. */
  readonly mayProduce: () => boolean;
  readonly clock: Clock;
  /** Aborted: nothing is waited for any longer. */
  readonly signal: AbortSignal;
  /** Whether a topic may be written could not be found out; it is tried again. Attempts count from 1. */
  readonly onCheckFailed: (failure: { readonly error: ConnectorError; readonly attempt: number }) => void;
}

/** How often membership is looked at while it is unsure. */
const FENCE_LOOK_MS = 100;
/** Between two looks at a topic while the log is away. */
const topicCheckBackoff: BackoffPolicy = { intervalMs: 250, maxMs: 10_000 };

/** Holds batches back until their topics are admitted, their schemas are known to the converters, and this worker is sure to own the task. The queue fills meanwhile. */
export class SendGate {
  readonly #options: SendGateOptions;

  constructor(options: SendGateOptions) {
    this.#options = options;
  }

  /** Undefined when the batch may be sent at once. Otherwise resolves when it may or the signal aborts, and rejects when one of its topics may not be written or a converter cannot get ready. */
  pass(records: readonly SourceRecord[]): Promise<void> | undefined {
    const { admission, preparation, mayProduce } = this.#options;
    const ready = admission.knows(records) && preparation?.knows(records) !== false;
    return ready && mayProduce() ? undefined : this.#wait(records);
  }

  async #wait(records: readonly SourceRecord[]): Promise<void> {
    await this.#admit(records);
    const { preparation, mayProduce, signal } = this.#options;
    await preparation?.prepare(records);
    while (!mayProduce() && !signal.aborted) await this.#pause(FENCE_LOOK_MS);
  }

  /** A topic that may not be written ends the wait; while the log is away it is asked again. */
  async #admit(records: readonly SourceRecord[]): Promise<void> {
    const { admission, signal, onCheckFailed } = this.#options;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await admission.admit(records);
        return;
      } catch (thrown) {
        const error = ConnectorError.from(thrown, 'topic_unavailable');
        if (!error.retriable) throw error;
        onCheckFailed({ error, attempt });
        await this.#pause(backoffDelay(topicCheckBackoff, attempt, Math.random));
      }
    }
  }

  /** An abort ends the pause; who pauses looks at the signal. */
  async #pause(ms: number): Promise<void> {
    await this.#options.clock.sleep(ms, this.#options.signal).catch(() => undefined);
  }
}
