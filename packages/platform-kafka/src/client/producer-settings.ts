import { type ConfigIssue, ConnectorError } from '@levada/connect-runtime-core';
import { type CompressionType, codecs } from '../compression/codecs.ts';

const MAX_INT = 2_147_483_647;

/** Settings of a producer. The defaults are Kafka Connect's, which never gives up a record. */
export interface ProducerSettings {
  /** `client.id`. Default: the caller's name. */
  readonly clientId: string;
  /** `batch.size`: bytes of a full batch. Default: 131 072 (Java: 16 384). */
  readonly batchBytes: number;
  /** `linger.ms`: how long a batch waits for more records. Default: 0. */
  readonly lingerMs: number;
  /** `compression.type`. Default: none. */
  readonly compression: CompressionType;
  /** `max.request.size`: maximum size of a record and of a request. Default: 1 048 576. */
  readonly maxRequestBytes: number;
  /** `delivery.timeout.ms`, from `send` to the report. Default: 2 147 483 647, as in Connect. */
  readonly deliveryTimeoutMs: number;
  /** `request.timeout.ms`. Default: 30 000. */
  readonly requestTimeoutMs: number;
  /** `max.block.ms`: how long brokers may report that a topic does not exist before its records fail. Default: 8 000. */
  readonly topicTimeoutMs: number;
  /** `buffer.memory`: memory kept for reuse. Default: 33 554 432. */
  readonly bufferBytes: number;
  /** `max.in.flight.requests.per.connection`, 1 to 5. Default: 5; the order is kept with any value. */
  readonly maxInFlight: number;
  /** `retry.backoff.ms`. Default: 100. */
  readonly retryBackoffMs: number;
  /** `retry.backoff.max.ms`. Default: 1 000. */
  readonly retryBackoffMaxMs: number;
  /** `metadata.max.age.ms`. Default: 300 000. */
  readonly metadataMaxAgeMs: number;
  /** `transaction.timeout.ms`: brokers abort transactions that are open for longer. Default: 60 000. */
  readonly transactionTimeoutMs: number;
}

type NumberSetting = Exclude<keyof ProducerSettings, 'clientId' | 'compression'>;

interface NumberRow {
  readonly setting: NumberSetting;
  readonly initial: number;
  readonly smallest: number;
  readonly largest: number;
}

const numberRows: Readonly<Record<string, NumberRow>> = {
  'batch.size': { setting: 'batchBytes', initial: 131_072, smallest: 0, largest: 64 * 1024 * 1024 },
  'linger.ms': { setting: 'lingerMs', initial: 0, smallest: 0, largest: MAX_INT },
  'max.request.size': { setting: 'maxRequestBytes', initial: 1_048_576, smallest: 1, largest: MAX_INT },
  'delivery.timeout.ms': { setting: 'deliveryTimeoutMs', initial: MAX_INT, smallest: 1, largest: MAX_INT },
  'request.timeout.ms': { setting: 'requestTimeoutMs', initial: 30_000, smallest: 1, largest: MAX_INT },
  'max.block.ms': { setting: 'topicTimeoutMs', initial: 8000, smallest: 0, largest: Number.MAX_SAFE_INTEGER },
  'buffer.memory': {
    setting: 'bufferBytes',
    initial: 33_554_432,
    smallest: 0,
    largest: Number.MAX_SAFE_INTEGER,
  },
  'max.in.flight.requests.per.connection': { setting: 'maxInFlight', initial: 5, smallest: 1, largest: 5 },
  'retry.backoff.ms': { setting: 'retryBackoffMs', initial: 100, smallest: 0, largest: MAX_INT },
  'retry.backoff.max.ms': { setting: 'retryBackoffMaxMs', initial: 1000, smallest: 0, largest: MAX_INT },
  'metadata.max.age.ms': { setting: 'metadataMaxAgeMs', initial: 300_000, smallest: 1, largest: MAX_INT },
  'transaction.timeout.ms': {
    setting: 'transactionTimeoutMs',
    initial: 60_000,
    smallest: 1000,
    largest: MAX_INT,
  },
};

/** Keys with one allowed value: the guarantees of this producer cannot be disabled. */
const fixedRows: Readonly<Record<string, { readonly values: readonly string[]; readonly why: string }>> = {
  acks: { values: ['all', '-1'], why: 'records are acknowledged by all in-sync replicas' },
  'enable.idempotence': { values: ['true'], why: 'records are written idempotently' },
};

/** The producer keys with an effect. The caller reports others. */
export const producerKeys: readonly string[] = [
  'client.id',
  'compression.type',
  ...Object.keys(numberRows),
  ...Object.keys(fixedRows),
];

/** Parses producer keys and ignores unknown ones. Throws `config_invalid` with every problem. */
export function producerSettings(
  clientId: string,
  overrides: Readonly<Record<string, string>> = {},
): ProducerSettings {
  const given = new Map(Object.entries(overrides));
  const issues: ConfigIssue[] = [];
  const numbers = {} as Record<NumberSetting, number>;
  for (const [key, row] of Object.entries(numberRows)) {
    numbers[row.setting] = readNumber({ key, row, text: given.get(key) }, issues);
  }
  for (const [key, { values, why }] of Object.entries(fixedRows)) {
    const text = given.get(key);
    if (text !== undefined && !values.includes(text.trim().toLowerCase())) {
      issues.push({
        key,
        message: `Invalid value ${text} for configuration ${key}: ${why}, expected ${values[0]}`,
      });
    }
  }
  const compression = readCompression(given.get('compression.type'), issues);
  if (issues.length > 0) {
    const message = issues.map((issue) => issue.message).join('; ');
    throw new ConnectorError('config_invalid', message, { issues });
  }
  return { clientId: given.get('client.id') ?? clientId, compression, ...numbers };
}

interface NumberText {
  readonly key: string;
  readonly row: NumberRow;
  readonly text: string | undefined;
}

function readNumber({ key, row, text }: NumberText, issues: ConfigIssue[]): number {
  if (text === undefined) return row.initial;
  const value = /^-?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= row.smallest && value <= row.largest) return value;
  const expected = `a whole number from ${row.smallest} to ${row.largest}`;
  issues.push({ key, message: `Invalid value ${text} for configuration ${key}: expected ${expected}` });
  return row.initial;
}

function readCompression(text: string | undefined, issues: ConfigIssue[]): CompressionType {
  const name = text?.trim().toLowerCase() ?? 'none';
  if (Object.hasOwn(codecs, name)) return name as CompressionType;
  const key = 'compression.type';
  const expected = `one of ${Object.keys(codecs).join(', ')}`;
  issues.push({ key, message: `Invalid value ${text} for configuration ${key}: expected ${expected}` });
  return 'none';
}
