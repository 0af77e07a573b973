import type { Clock, EventLog, SourceRecord } from '@levada/connect-runtime-core';
import {
  type FailedRecord,
  type RecordStage,
  simpleHeaderConverter,
  type TaskErrors,
} from '@levada/connect-runtime-core/host';
import type { runtimeEvents } from '../port/runtime-events.ts';
import type { TaskSettings } from './task-settings.ts';

export interface RecordErrorsOptions {
  /** Where they are counted. */
  readonly counts: TaskErrors;
  readonly clock: Clock;
  readonly log: EventLog<typeof runtimeEvents>;
  /** Takes the task's secrets out of a text. */
  readonly scrub: (text: string) => string;
}

/** Longest text of a record in the log, in characters. */
const LONGEST = 4096;

/** Counts the records of one task that failed, and logs them when `errors.log.enable` asks for it. */
export class RecordErrors {
  readonly #options: RecordErrorsOptions;
  constructor(options: RecordErrorsOptions) {
    this.#options = options;
  }

  /** An attempt failed, and another one follows. */
  retried(): void {
    const { counts } = this.#options;
    counts.failures += 1;
    counts.retries += 1;
  }

  record(failed: FailedRecord, { errors, converterClasses }: TaskSettings): void {
    const { counts, clock } = this.#options;
    counts.failures += 1;
    counts.errors += 1;
    if (failed.tolerated) counts.skipped += 1;
    if (errors.log) counts.logged += 1;
    counts.lastErrorAt = clock.now();
    if (!errors.log) return;
    const { stage, error, record } = failed;
    const key = converterOf[stage];
    const className = failed.className ?? (key === undefined ? 'producer' : converterClasses[key]);
    this.#options.log('record_failed', {
      stage,
      class: className,
      topic: record.topic,
      reason: this.#options.scrub(error.message),
      tolerated: failed.tolerated,
      ...(errors.logRecords ? { record: this.#options.scrub(recordText(record)) } : {}),
    });
  }
}

const converterOf: Readonly<Record<RecordStage, keyof TaskSettings['converterClasses'] | undefined>> = {
  TRANSFORMATION: undefined,
  HEADER_CONVERTER: 'header.converter',
  KEY_CONVERTER: 'key.converter',
  VALUE_CONVERTER: 'value.converter',
  KAFKA_PRODUCE: undefined,
};

/** A record as text: its values as headers are printed, cut off where that is long. */
function recordText({ topic, partition, timestamp, headers, ...rest }: SourceRecord): string {
  const parts = [
    `key=${valueText(rest.keySchema, rest.key)}`,
    `value=${valueText(rest.valueSchema, rest.value)}`,
    ...headers.map(({ key, schema, value }) => `header ${key}=${valueText(schema, value)}`),
    `partition=${partition}`,
    `timestamp=${timestamp}`,
  ];
  return `topic=${topic}, ${parts.join(', ')}`.slice(0, LONGEST);
}

const printer = simpleHeaderConverter.create({}, false);

function valueText(schema: SourceRecord['keySchema'], value: unknown): string {
  try {
    const bytes = printer.fromConnectData('', schema, value);
    return bytes === null ? 'null' : new TextDecoder().decode(bytes);
  } catch {
    // What has no text is said to be there.
    return '(cannot be shown)';
  }
}
