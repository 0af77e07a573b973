import { describe, expect, it } from 'vitest';
import { sourceRecord } from '../contract/source-record.ts';
import { byteArrayConverter } from '../converter/byte-array-converter.ts';
import type { Converter, ValueToConvert } from '../converter/converter.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts';
import { type RetryLimits, SchemaPreparation } from './schema-preparation.ts';

const plain = byteArrayConverter.create({}, false);
const away = new ConnectorError('connection_failed', 'the registry is away');

interface Setup {
  readonly preparation: SchemaPreparation;
  readonly clock: ManualClock;
  readonly asked: string[];
  readonly failures: number[];
  readonly controller: AbortController;
}

/** A converter for which nothing answers for the first `failing` times. */
function setup(failing: number, retry: RetryLimits, error: ConnectorError = away): Setup {
  const clock = createManualClock();
  const controller = new AbortController();
  const asked: string[] = [];
  const failures: number[] = [];
  const known = new Set<string>();
  const converter: Converter = {
    ...plain,
    preparation: {
      knows: ({ topic }: ValueToConvert) => known.has(topic),
      prepare: async ({ topic }) => {
        asked.push(topic);
        if (asked.length <= failing) throw error;
        known.add(topic);
      },
    },
  };
  const preparation = new SchemaPreparation({
    key: plain,
    value: converter,
    context: { clock, signal: controller.signal, environment: undefined },
    retry,
    onFailed: ({ attempt }) => failures.push(attempt),
  });
  return { preparation, clock, asked, failures, controller };
}

const record = (topic: string) => sourceRecord({ topic, value: Buffer.from('x') });
const batch = [record('a'), record('a'), record('b')];

describe('SchemaPreparation', () => {
  it('asks once for each new topic of a batch, and not again', async () => {
    const { preparation, asked } = setup(0, { timeoutMs: 0, delayMaxMs: 1000 });
    expect(preparation.knows(batch)).toBe(false);
    await preparation.prepare(batch);
    expect(preparation.knows(batch)).toBe(true);
    expect(asked).toEqual(['a', 'b']);
  });

  it('knows everything when no converter has to ask', () => {
    const { clock, controller } = setup(0, { timeoutMs: 0, delayMaxMs: 1000 });
    const preparation = new SchemaPreparation({
      key: plain,
      value: plain,
      context: { clock, signal: controller.signal, environment: undefined },
      retry: { timeoutMs: 0, delayMaxMs: 1000 },
      onFailed: () => undefined,
    });
    expect(preparation.knows(batch)).toBe(true);
  });

  it('tries again, later each time, while errors.retry.timeout allows', async () => {
    const { preparation, clock, asked, failures } = setup(3, { timeoutMs: 10_000, delayMaxMs: 1000 });
    const prepared = preparation.prepare([record('a')]);
    await clock.advance(10_000);
    await prepared;
    expect(failures).toEqual([1, 2, 3]);
    expect(asked).toHaveLength(4);
  });

  it.each([
    ['at once without errors.retry.timeout', 0, 1],
    ['after the last attempt at its end', 1000, 3],
  ])('rejects with the failure %s', async (_, timeoutMs, attempts) => {
    const { preparation, clock, asked } = setup(Infinity, { timeoutMs, delayMaxMs: 500 });
    const prepared = preparation.prepare([record('a')]).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await prepared).toBe(away);
    expect(asked.length).toBeGreaterThanOrEqual(attempts);
    expect(clock.pending).toBe(0);
  });

  it('does not try again what will not heal', async () => {
    const refused = new ConnectorError('connection_failed', 'no access', { retriable: false });
    const { preparation, asked } = setup(Infinity, { timeoutMs: -1, delayMaxMs: 1000 }, refused);
    await expect(preparation.prepare([record('a')])).rejects.toBe(refused);
    expect(asked).toEqual(['a']);
  });

  it('tries forever with -1, until it is aborted', async () => {
    const { preparation, clock, asked, controller } = setup(Infinity, { timeoutMs: -1, delayMaxMs: 1000 });
    const prepared = preparation.prepare([record('a')]);
    await clock.advance(100_000);
    expect(asked.length).toBeGreaterThan(50);
    controller.abort();
    await prepared;
    expect(clock.pending).toBe(0);
  });
});
