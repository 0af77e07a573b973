import { describe, expect, it } from 'vitest';
import { sourceRecord } from '../contract/source-record.ts';
import { silentLogger } from '../diagnostics/logger.ts';
import type { LogProducer } from '../platform/log-platform.ts';
import { systemClock } from '../time/clock.ts';
import { clientSink } from './client-producer.ts';
import { each } from './each.ts';
import { eachBatch } from './each-batch.ts';
import { logSink } from './log-sink.ts';
import { type PlatformaticKafkaProducer, platformaticKafkaSink } from './platformatic-kafka-sink.ts';

const config = (message: string) =>
  expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(message) });

describe('options of sinks', () => {
  it('are refused when the callback is none', () => {
    expect(() => each('x' as never)).toThrow(config('each: the callback must be a function, got string'));
    expect(() => eachBatch(undefined as never)).toThrow(config('eachBatch: the callback must be a function'));
  });

  it('may ask for retries without end, and for no other number that is none', () => {
    expect(() => each(() => undefined, { retries: Number.POSITIVE_INFINITY })).not.toThrow();
    expect(() => each(() => undefined, { retries: Number.NaN })).toThrow(config('each: retries'));
  });

  it('are refused when they are unknown or of another kind', () => {
    const options = { concurency: 5, onError: 'ignore', orderBy: 'key' } as object;
    expect(() => each(() => undefined, options)).toThrow(
      [
        'each: concurency is not an option, did you mean each: concurrency?',
        "each: onError must be 'throw', 'drop' or a function, got ignore",
        'each: orderBy must be a function, got string',
      ].join('\n'),
    );
    expect(() => logSink({} as LogProducer, { topics: 'a', valueConverter: {} } as object)).toThrow(
      'topics is not an option, did you mean topic?\n' +
        'valueConverter must be an object with the methods fromConnectData, got object',
    );
  });

  it('are refused together, with those of one client alone', () => {
    const options = { as: 'json', topics: 'a' } as object;
    expect(() => platformaticKafkaSink({} as PlatformaticKafkaProducer<Buffer>, options)).toThrow(
      [
        "sink of @platformatic/kafka: as must be 'bytes' or 'text', got json",
        'sink of @platformatic/kafka: topics is not an option, did you mean sink of @platformatic/kafka: topic?',
      ].join('\n'),
    );
  });

  it.each(['deliveryTimeoutMs', 'maxBatchBytes'])(
    'are refused for a client when %s is no number',
    (option) => {
      const port = { client: 'kafkajs', send: async () => [], judge: () => new Error('none') as never };
      expect(() => clientSink(port, { [option]: Number.NaN })).toThrow(
        config(`sink of kafkajs: ${option} must`),
      );
    },
  );
});

describe('each', () => {
  it('keeps the order of records whose keys are objects with a bigint', async () => {
    const seen: unknown[] = [];
    const sink = each(({ value }) => seen.push(value), { concurrency: 2 });
    const { signal } = new AbortController();
    const writer = await sink.open({
      source: 'feed',
      clock: systemClock,
      logger: silentLogger,
      signal,
      tolerant: false,
    });
    const records = [1, 2].map((value) => sourceRecord({ topic: 't', key: { id: 1n }, value }));
    expect(await writer.send(records)).toEqual({ stored: 2, failures: [] });
    expect(seen).toEqual([1, 2]);
  });
});
