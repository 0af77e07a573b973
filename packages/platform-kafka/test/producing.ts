import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type { LogProducer, LogRecord, SendResult } from '@levada/connect-runtime-core/platform';
import type { ReadRecord } from '@levada/kafka-testkit';
import { producerSettings } from '../src/client/producer-settings.ts';
import { KafkaProducer, type KafkaProducerOptions } from '../src/produce/kafka-producer.ts';
import { type BrokerAddress, brokerAddress } from '../src/wire/link-options.ts';

/** Parses `host:port`. */
export function addressOf(text: string): BrokerAddress {
  const address = brokerAddress(text);
  if (address === undefined) throw new Error(`"${text}" is no address`);
  return address;
}

/** A producer with quick retries and the keys of a test. */
export function producerAt(
  bootstrap: string,
  overrides: Readonly<Record<string, string>> = {},
  more: Pick<Partial<KafkaProducerOptions>, 'onHealth' | 'mayProduce'> = {},
): KafkaProducer {
  const quick = { 'retry.backoff.ms': '20', 'retry.backoff.max.ms': '200' };
  return new KafkaProducer({
    bootstrap: [addressOf(bootstrap)],
    link: { clientId: 'replaced', clock: systemClock },
    settings: producerSettings('produce-test', { ...quick, ...overrides }),
    clock: systemClock,
    logger: silentLogger,
    ...more,
  });
}

/** A record of a test with a text value. */
export function record(topic: string, value: string | null, more: Partial<LogRecord> = {}): LogRecord {
  const bytes = value === null ? null : Buffer.from(value);
  return {
    topic,
    partition: null,
    key: null,
    value: bytes,
    timestamp: 1_750_000_000_000,
    headers: [],
    ...more,
  };
}

/** Sends the numbers from 0 in batches of 100 until `until` returns true, at most ten batches ahead. Returns their count. */
export async function sendNumbers(
  producer: LogProducer,
  topic: string,
  until: (sent: number) => boolean,
): Promise<{ readonly sent: number; readonly results: readonly SendResult[] }> {
  const underWay: Promise<SendResult>[] = [];
  const results: SendResult[] = [];
  let sent = 0;
  while (!until(sent)) {
    // A restarted broker forgets producers whose last record is older than a day, and would accept repetitions then
    const now = { timestamp: Date.now() };
    const batch = Array.from({ length: 100 }, (_, i) => record(topic, String(sent + i), now));
    sent += batch.length;
    underWay.push(producer.send(batch));
    if (underWay.length >= 10) results.push(...(await Promise.all(underWay.splice(0, 1))));
    await new Promise((resolve) => setImmediate(resolve));
  }
  results.push(...(await Promise.all(underWay)));
  return { sent, results };
}

/** Problems of a topic that should have the numbers from 0 to `count`, each once and in order within each partition; at most ten. */
export function problemsOf(records: readonly ReadRecord[], count: number): readonly string[] {
  const last = new Map<number, number>();
  const missing = new Set(Array.from({ length: count }, (_, number) => number));
  const problems: string[] = [];
  for (const { partition, value } of records) {
    const number = Number(value);
    const before = last.get(partition) ?? -1;
    if (!missing.delete(number)) problems.push(`${number} is there twice, or was never sent`);
    else if (number <= before) problems.push(`${number} comes after ${before}`);
    last.set(partition, number);
  }
  if (missing.size > 0) problems.push(`${missing.size} missing: ${[...missing].slice(0, 20).join(', ')}`);
  return problems.slice(0, 10);
}

/** Sums up several results. */
export function sumOf(results: readonly SendResult[]): SendResult {
  return {
    stored: results.reduce((sum, result) => sum + result.stored, 0),
    failures: results.flatMap((result) => result.failures),
  };
}
