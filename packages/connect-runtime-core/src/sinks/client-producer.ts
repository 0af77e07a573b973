import {
  checkOptions,
  type OptionCheck,
  type OptionChecks,
  wholeNumberFrom,
} from '../config/option-checks.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { LogRecord, SendFailure, SendResult } from '../platform/log-platform.ts';
import { type BackoffPolicy, backoffDelay } from '../time/backoff.ts';
import { type LogSinkOptions, logSinkChecks, type OpenedProducer, openedLogSink } from './log-sink.ts';
import type { Sink, SinkContext, SinkHealth } from './sink.ts';

/** How a sink uses the Kafka client of a service. */
export interface ClientSinkOptions extends LogSinkOptions {
  /**
   * Bytes of records that are handed to the client in one call; a larger record goes alone. The default fits into the brokers' default
   * of 1 MiB for a batch (`message.max.bytes`). Default 900000.
   */
  readonly maxBatchBytes?: number | undefined;
  /**
   * How long records are handed to the client again when it gives up with an error that may pass (brokers away, no leader), in
   * milliseconds. Then they are dropped as `delivery_unknown`, or end the run of a source that can read them again. Default 120000.
   */
  readonly deliveryTimeoutMs?: number | undefined;
}

/** A Kafka client, as far as a sink needs it. */
export interface ClientPort {
  /** Its name, for errors. */
  readonly client: string;
  /** Records of one topic. Resolves with what each of them failed with, by index; undefined: the brokers have it. Never rejects. */
  send(topic: string, records: readonly LogRecord[]): Promise<readonly unknown[]>;
  /** What an error of the client means. */
  judge(thrown: unknown): ConnectorError;
}

const BATCH_BYTES = 900_000;
const DELIVERY_MS = 120_000;
const backoff: BackoffPolicy = { intervalMs: 100, maxMs: 5000 };
/** Room for what surrounds key and value in a batch. */
const RECORD_BYTES = 40;

const clientChecks: OptionChecks<ClientSinkOptions> = {
  ...logSinkChecks,
  maxBatchBytes: wholeNumberFrom(1),
  deliveryTimeoutMs: wholeNumberFrom(0),
};

/** A sink that writes with a client of the service, which stays the service's. `more` are checks of options that only this client has. */
export function clientSink(
  port: ClientPort,
  options: ClientSinkOptions,
  more: Readonly<Record<string, OptionCheck>> = {},
): Sink {
  checkOptions({ ...clientChecks, ...more }, options, { parent: `sink of ${port.client}: ` });
  return openedLogSink(async (context) => new ClientProducer(port, options, context), options);
}

/** A batch that was handed over. */
interface Handed {
  unsettled: number;
  readonly size: number;
  readonly failures: SendFailure[];
  readonly settle: (result: SendResult) => void;
}

interface Entry {
  readonly record: LogRecord;
  readonly index: number;
  readonly handed: Handed;
  readonly bytes: number;
}

/**
 * Hands records to a client in order, one call at a time: what comes meanwhile goes together in the next one. At least once: records are
 * handed over again when a call failed with an error that may pass.
 */
class ClientProducer implements OpenedProducer {
  readonly #port: ClientPort;
  readonly #options: ClientSinkOptions;
  readonly #context: SinkContext;
  #waiting: Entry[] = [];
  #pendingBytes = 0;
  #pumping: Promise<void> | undefined;
  /** A record failed that ends the run: nothing after it is handed over. */
  #failed = false;
  /** Why records are handed over again at the moment. */
  #trouble: ConnectorError | undefined;

  constructor(port: ClientPort, options: ClientSinkOptions, context: SinkContext) {
    this.#port = port;
    this.#options = options;
    this.#context = context;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  send(records: readonly LogRecord[]): Promise<SendResult> {
    return new Promise((settle) => {
      const handed: Handed = { unsettled: records.length, size: records.length, failures: [], settle };
      for (const [index, record] of records.entries()) {
        const bytes = bytesOf(record);
        this.#pendingBytes += bytes;
        this.#waiting.push({ record, index, handed, bytes });
      }
      this.#pumping ??= this.#pump();
    });
  }

  health(): SinkHealth {
    return this.#trouble === undefined
      ? { status: 'up' }
      : { status: 'degraded', reason: this.#trouble.message };
  }

  async flush(): Promise<void> {
    await this.#pumping;
  }

  /** The client is the service's. What is on its way was settled, or is given up by the run. */
  async close(): Promise<void> {}

  async #pump(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      const chunks = chunksOf(entries, this.#options.maxBatchBytes ?? BATCH_BYTES);
      for (const chunk of chunks) await this.#deliver(chunk);
    }
    this.#pumping = undefined;
  }

  /** Settles each entry of a chunk, all of one topic. */
  async #deliver(chunk: readonly Entry[]): Promise<void> {
    const { clock, signal } = this.#context;
    const due = clock.monotonic() + (this.#options.deliveryTimeoutMs ?? DELIVERY_MS);
    let left = chunk;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      if (this.#failed || signal.aborted) {
        const why = this.#failed ? 'a record before this one could not be delivered' : 'the run is over';
        this.#settle(left, () => new ConnectorError('closed', why));
        return;
      }
      if (attempt > 1) {
        const delay = backoffDelay(backoff, attempt - 1, Math.random);
        await clock
          .sleep(Math.min(delay, Math.max(0, due - clock.monotonic())), signal)
          .catch(() => undefined);
        if (signal.aborted) continue;
      }
      left = await this.#call(left, clock.monotonic() >= due);
    }
  }

  /** One call of the client. Returns what is to be handed over again. */
  async #call(entries: readonly Entry[], isLast: boolean): Promise<readonly Entry[]> {
    const port = this.#port;
    const topic = entries[0]?.record.topic ?? '';
    const thrown = await port.send(
      topic,
      entries.map(({ record }) => record),
    );
    const again: Entry[] = [];
    const refused: Entry[] = [];
    for (const [i, entry] of entries.entries()) {
      if (thrown[i] === undefined) {
        this.#trouble = undefined;
        this.#settle([entry]);
        continue;
      }
      const error = port.judge(thrown[i]);
      if (error.retriable && !isLast) {
        if (again.length === 0) this.#report(error);
        again.push(entry);
      } else if (error.retriable) this.#settle([entry], () => givenUp(port.client, error));
      else if (isOfRecord(error) && isShared(thrown, i)) refused.push(entry);
      else this.#settle([entry], () => error);
    }
    // Which of them is refused shows one by one. Others of the call may be stored already, and are stored twice then.
    for (const entry of refused) await this.#deliver([entry]);
    return again;
  }

  #report(error: ConnectorError): void {
    this.#trouble = error;
    const { logger } = this.#context;
    logger.warn({ event: 'sink_retries', client: this.#port.client, error }, 'records are handed over again');
  }

  #settle(entries: readonly Entry[], failure?: () => ConnectorError): void {
    for (const { handed, index, bytes } of entries) {
      this.#pendingBytes -= bytes;
      handed.unsettled -= 1;
      if (failure !== undefined) {
        const error = failure();
        handed.failures.push({ index, error });
        if (!this.#context.tolerant && endsRun.has(error.code)) this.#failed = true;
      }
      if (handed.unsettled > 0) continue;
      handed.failures.sort((a, b) => a.index - b.index);
      handed.settle({ stored: handed.size - handed.failures.length, failures: handed.failures });
    }
  }
}

/** Codes with which a record ends a run that is not tolerant. */
const endsRun: ReadonlySet<string> = new Set(['record_rejected', 'topic_unavailable', 'fenced']);

/** A reason that lies in a record, and not in its topic or in the client. */
function isOfRecord({ code }: ConnectorError): boolean {
  return code === 'record_too_large' || code === 'record_rejected';
}

/** Several records of a call failed: brokers refuse batches as a whole, and the reason may lie in any of them. */
function isShared(thrown: readonly unknown[], index: number): boolean {
  return thrown.some((other, i) => i !== index && other !== undefined);
}

function givenUp(client: string, cause: ConnectorError): ConnectorError {
  return new ConnectorError('delivery_timeout', `${client} did not deliver in time: ${cause.message}`, {
    cause,
  });
}

function bytesOf({ key, value, headers }: LogRecord): number {
  let bytes = RECORD_BYTES + (key?.length ?? 0) + (value?.length ?? 0);
  for (const header of headers) bytes += header.key.length + (header.value?.length ?? 0) + 4;
  return bytes;
}

/** By topic, in order, none larger than so many bytes unless it is one record. */
function chunksOf(entries: readonly Entry[], maxBytes: number): readonly (readonly Entry[])[] {
  const chunks: Entry[][] = [];
  const open = new Map<string, { readonly entries: Entry[]; bytes: number }>();
  for (const entry of entries) {
    const { topic } = entry.record;
    let chunk = open.get(topic);
    if (chunk === undefined || chunk.bytes + entry.bytes > maxBytes) {
      chunk = { entries: [], bytes: 0 };
      open.set(topic, chunk);
      chunks.push(chunk.entries);
    }
    chunk.entries.push(entry);
    chunk.bytes += entry.bytes;
  }
  return chunks;
}
