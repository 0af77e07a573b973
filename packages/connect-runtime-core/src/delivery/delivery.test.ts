import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HeldProducer, heldProducer } from '../../test/held-producer.ts';
import { type SourceRecord, sourceRecord } from '../contract/source-record.ts';
import { byteArrayConverter } from '../converter/byte-array-converter.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';
import type { LogRecord, SendFailure, SendResult } from '../platform/log-platform.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { waitFor } from '../testing/wait-for.ts';
import { Delivery } from './delivery.ts';
import type { DeliveryOptions, FailedRecord } from './delivery-options.ts';
import { OffsetTracker } from './offset-tracker.ts';
import { toLogRecord } from './record-converter.ts';
import { RecordRetry } from './record-retry.ts';
import type { TransformationStage } from './transformation-chain.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Setup {
  readonly delivery: Delivery;
  readonly producer: HeldProducer;
  readonly tracker: OffsetTracker;
  readonly committed: (readonly SourceRecord[])[];
  readonly failures: ConnectorError[];
  readonly counted: { produced: number; dropped: number; readonly causes: DropCause[] };
  readonly inFlight: () => number;
}

function setup(options: Partial<DeliveryOptions> = {}): Setup {
  const producer = heldProducer();
  const tracker = new OffsetTracker();
  const committed: (readonly SourceRecord[])[] = [];
  const failures: ConnectorError[] = [];
  const produced = { value: 0 };
  const causes: DropCause[] = [];
  let dropped = 0;
  let inFlight = (): number => 0;
  const converter = byteArrayConverter.create({}, false);
  const converters = { key: converter, value: converter, header: converter };
  const delivery = new Delivery({
    producer,
    tracker,
    convert: (record, now) => toLogRecord(converters, record, now),
    now: () => 7,
    rereads: true,
    metrics: (read) => {
      inFlight = read;
      return {
        produced,
        dropped: (cause, count) => {
          dropped += count;
          causes.push(cause);
        },
      };
    },
    tolerant: false,
    maxInFlightBatches: 8,
    maxInFlightBytes: 1_000,
    onFailure: (error) => failures.push(error),
    onCommitted: (records) => committed.push(records),
    ...options,
  });
  const counted = {
    causes,
    get produced() {
      return produced.value;
    },
    get dropped() {
      return dropped;
    },
  };
  return { delivery, producer, tracker, committed, failures, counted, inFlight: () => inFlight() };
}

function recordOf(position: number, more: Partial<SourceRecord> = {}): SourceRecord {
  return sourceRecord({ topic: 't', value: Buffer.from(`${position}`), ...more });
}

const resumable = (position: number): Partial<SourceRecord> => ({
  sourcePartition: { file: 'f' },
  sourceOffset: { position },
});

/** The outcome of one record: it does not convert, or the log says this. */
const fates = ['stored', 'unconvertible', 'record_too_large', 'record_rejected', 'delivery_timeout'] as const;
type Fate = (typeof fates)[number];

function failuresOf(sent: readonly Fate[]): readonly SendFailure[] {
  return sent.flatMap((fate, index) =>
    fate === 'stored' || fate === 'unconvertible' ? [] : [{ index, error: new ConnectorError(fate, fate) }],
  );
}

describe('Delivery', () => {
  it('keeps no converted record in memory while it waits for the acknowledgement', async () => {
    const sent: WeakRef<LogRecord>[] = [];
    const outcome = Promise.withResolvers<SendResult>();
    const send = (records: readonly LogRecord[]): Promise<SendResult> => {
      for (const record of records) sent.push(new WeakRef(record));
      return outcome.promise;
    };
    const { delivery, counted } = setup({ producer: { pendingBytes: 0, send } });
    await delivery.deliver([recordOf(1), recordOf(2)]);
    await waitFor(() => {
      collectGarbage();
      return sent.length === 2 && sent.every((record) => record.deref() === undefined);
    });
    outcome.resolve({ stored: 2, failures: [] });
    await delivery.settled();
    expect(counted.produced).toBe(2);
  });

  it('takes no third batch while the producer has enough that it cannot send yet', async () => {
    const producer = { ...heldProducer(), unsentBytes: 1_000_000 };
    const { delivery } = setup({ producer });
    await delivery.deliver([recordOf(1)]);
    expect(delivery.hasRoom).toBe(true);
    await delivery.deliver([recordOf(2)]);
    expect(delivery.hasRoom).toBe(false);
    producer.batches[0]?.answer({ stored: 1, failures: [] });
    await delivery.room();
  });

  it('counts each record once and commits no offset beyond an unsettled one, whatever happens', async () => {
    const batchOf = fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 6 });
    const plan = fc.record({
      batches: fc.array(batchOf, { minLength: 1, maxLength: 6 }),
      withOffsets: fc.boolean(),
      tolerant: fc.boolean(),
      order: fc.infiniteStream(fc.nat()),
    });
    const runs = fc.asyncProperty(plan, async ({ batches, withOffsets, tolerant, order }) => {
      const { delivery, producer, tracker, counted, inFlight } = setup({ tolerant });
      const fateOf = new Map<string, Fate>();
      let taken = 0;
      for (const fates of batches) {
        const records = fates.map((fate) => {
          taken += 1;
          fateOf.set(`${taken}`, fate);
          return recordOf(taken, {
            ...(withOffsets ? resumable(taken) : {}),
            ...(fate === 'unconvertible' ? { value: taken } : {}),
          });
        });
        await delivery.deliver(records);
        expect(counted.produced + counted.dropped + inFlight()).toBe(taken);
      }
      const waiting = [...producer.batches];
      while (waiting.length > 0) {
        const [batch] = waiting.splice((order.next().value ?? 0) % waiting.length, 1);
        const sent = (batch?.records ?? []).map(({ value }) => fateOf.get(String(value)) ?? 'stored');
        const failures = failuresOf(sent);
        batch?.answer({ stored: sent.length - failures.length, failures });
        await new Promise(setImmediate);
        expect(counted.produced + counted.dropped + inFlight()).toBe(taken);
      }
      expect(inFlight()).toBe(0);
      await delivery.settled();
      const last = Number(tracker.committable()[0]?.offset['position'] ?? 0);
      const settled = (fate: Fate): boolean => tolerant || fate === 'stored' || fate === 'record_too_large';
      const unsettled = [...fateOf.values()].findIndex((fate) => !settled(fate));
      expect(last).toBeLessThanOrEqual(unsettled < 0 ? taken : unsettled);
      const complete = withOffsets && delivery.failure === undefined;
      expect(complete ? last : taken).toBe(taken);
    });
    await fc.assert(runs, { numRuns: 300 });
  });

  it('notifies the source of each batch as soon as it is settled', async () => {
    const { delivery, producer, committed } = setup();
    for (const position of [1, 2, 3]) await delivery.deliver([recordOf(position)]);
    for (const batch of [...producer.batches].reverse()) batch.answer({ stored: 1, failures: [] });
    await delivery.settled();
    expect(committed.flat().map(({ value }) => String(value))).toEqual(['3', '2', '1']);
  });

  it('notifies the source which records of a batch were dropped, and why', async () => {
    const reported: [number, DropCause][][] = [];
    const { delivery, producer } = setup({ onCommitted: (_, dropped) => reported.push([...dropped]) });
    await delivery.deliver([recordOf(1), recordOf(2), recordOf(3)]);
    const failures = [
      { index: 0, error: new ConnectorError('record_too_large', 'too large') },
      { index: 2, error: new ConnectorError('delivery_timeout', 'no answer') },
    ];
    producer.batches[0]?.answer({ stored: 1, failures });
    await delivery.settled();
    expect(reported).toEqual([
      [
        [0, 'record_too_large'],
        [2, 'delivery_unknown'],
      ],
    ]);
  });

  it('counts what it waits with as in flight', async () => {
    const admitted = Promise.withResolvers<void>();
    const { delivery, producer, inFlight } = setup({ admit: () => admitted.promise });
    const delivered = delivery.deliver([recordOf(1), recordOf(2)]);
    expect([inFlight(), producer.batches.length]).toEqual([2, 0]);
    admitted.resolve();
    await delivered;
    expect([inFlight(), producer.batches.length]).toEqual([2, 1]);
  });

  it('stamps records without a time with that of their batch, and leaves others as they are', async () => {
    const { delivery, producer } = setup();
    await delivery.deliver([recordOf(1), recordOf(2, { timestamp: 5 })]);
    expect(producer.batches[0]?.records.map(({ timestamp }) => timestamp)).toEqual([7, 5]);
  });

  it('survives callbacks that throw, and fails because of them', async () => {
    const { delivery, producer, failures, inFlight } = setup({
      onStored: () => {
        throw new Error('of storing');
      },
      onCommitted: () => {
        throw new Error('of committing');
      },
    });
    await delivery.deliver([recordOf(1)]);
    producer.batches[0]?.answer({ stored: 1, failures: [] });
    await delivery.settled();
    expect(failures.map(({ message }) => message)).toEqual(['of storing']);
    expect(inFlight()).toBe(0);
  });

  it('fails because of a producer that throws or rejects, and counts the batch', async () => {
    const { delivery, failures, counted, inFlight } = setup({
      producer: {
        ...heldProducer(),
        send: () => {
          throw new ConnectorError('fenced', 'another one');
        },
      },
    });
    await delivery.deliver([recordOf(1), recordOf(2)]);
    await delivery.settled();
    expect(failures.map(({ code }) => code)).toEqual(['fenced']);
    expect([counted.dropped, inFlight(), delivery.undelivered]).toEqual([2, 0, 2]);
  });

  it('fails because of an offset that JSON cannot hold, and counts the batch', async () => {
    const { delivery, failures, counted, inFlight } = setup();
    const offset = { position: 1n as unknown as number };
    await delivery.deliver([recordOf(1, { sourcePartition: offset, sourceOffset: offset })]);
    expect(failures).toHaveLength(1);
    expect([counted.dropped, inFlight()]).toEqual([1, 0]);
  });
});

describe('a delivery with transformations', () => {
  const stages: readonly TransformationStage[] = [
    {
      className: 'example.Drop',
      transformation: { apply: () => null },
      predicate: { test: ({ value }) => String(value) === '2' },
      negate: false,
    },
    {
      className: 'example.Rename',
      transformation: {
        apply: (record) => {
          if (String(record.value) === '4') throw new Error('not this one');
          return { ...record, topic: `to-${record.topic}` };
        },
      },
      negate: false,
    },
  ];
  const batch = [1, 2, 3, 4, 5].map((position) => recordOf(position, resumable(position)));

  it('produces, filters and drops each record once, and commits all their offsets', async () => {
    const admitted: string[] = [];
    const failed: FailedRecord[] = [];
    const dropped: [number, DropCause][][] = [];
    const stored: string[] = [];
    const { delivery, producer, tracker, committed, counted, inFlight } = setup({
      stages,
      tolerant: true,
      admit: (records) => {
        admitted.push(...records.map(({ topic }) => topic));
        return undefined;
      },
      onRecordFailed: (one) => failed.push(one),
      onStored: (topic) => stored.push(topic),
      onCommitted: (records, causes) => {
        committed.push(records);
        dropped.push([...causes]);
      },
    });
    await delivery.deliver(batch);
    producer.batches[0]?.answer({ stored: 3, failures: [] });
    await delivery.settled();
    expect(producer.batches[0]?.records.map(({ value }) => String(value))).toEqual(['1', '3', '5']);
    expect([admitted, stored]).toEqual([['to-t', 'to-t', 'to-t'], ['to-t']]);
    expect([counted.produced, counted.causes, inFlight()]).toEqual([3, ['filtered', 'conversion_error'], 0]);
    expect(tracker.committable()[0]?.offset).toEqual({ position: 5 });
    expect(committed).toEqual([batch]);
    expect(dropped).toEqual([
      [
        [1, 'filtered'],
        [3, 'conversion_error'],
      ],
    ]);
    expect(failed).toMatchObject([
      { stage: 'TRANSFORMATION', className: 'example.Rename', tolerated: true, record: batch[3] },
    ]);
  });

  it('fails when a transformation fails and nothing is tolerated', async () => {
    const { delivery, producer, tracker, failures, inFlight } = setup({ stages });
    await delivery.deliver(batch);
    producer.batches[0]?.answer({ stored: 2, failures: [] });
    await delivery.settled();
    expect(failures).toMatchObject([{ code: 'conversion_failed', message: 'not this one' }]);
    expect(tracker.committable()[0]?.offset).toEqual({ position: 3 });
    expect([delivery.undelivered, inFlight()]).toEqual([2, 0]);
  });

  it('tries again what may succeed later, before anything of the batch is sent', async () => {
    const clock = createManualClock();
    let attempts = 0;
    const away: TransformationStage = {
      className: 'example.Lookup',
      transformation: {
        apply: (record) => {
          attempts += 1;
          if (attempts < 4) throw new ConnectorError('timeout', 'no answer');
          return record;
        },
      },
      negate: false,
    };
    let retries = 0;
    const { signal } = new AbortController();
    const onRetry = (): void => {
      retries += 1;
    };
    const retry = new RecordRetry({ clock, signal, timeoutMs: 3_000, delayMaxMs: 500, onRetry });
    const { delivery, producer, counted } = setup({ stages: [away], retry });
    const delivered = delivery.deliver([recordOf(1)]);
    for (const delay of [300, 500, 500]) {
      await new Promise(setImmediate);
      expect(producer.batches).toHaveLength(0);
      await clock.advance(delay);
    }
    await delivered;
    expect([producer.batches.length, retries, counted.dropped]).toEqual([1, 3, 0]);

    attempts = Number.NEGATIVE_INFINITY;
    const late = delivery.deliver([recordOf(2)]);
    for (let i = 0; i < 10; i += 1) {
      await new Promise(setImmediate);
      await clock.advance(500);
    }
    await late;
    expect(delivery.failure).toMatchObject({ code: 'timeout' });
  });

  it('commits the offsets of a batch of which nothing is left', async () => {
    const drop = { className: 'example.Drop', transformation: { apply: () => null }, negate: false };
    const { delivery, producer, tracker, counted, committed } = setup({ stages: [drop] });
    await delivery.deliver(batch);
    await delivery.settled();
    expect([producer.batches.length, counted.dropped]).toEqual([0, 5]);
    expect(tracker.committable()[0]?.offset).toEqual({ position: 5 });
    expect(committed).toEqual([batch]);
  });
});

describe('a delivery that was given up', () => {
  it('counts what is on its way as unknown, and ignores its outcome', async () => {
    const { delivery, producer, tracker, counted, committed, inFlight } = setup();
    await delivery.deliver([recordOf(1, resumable(1)), recordOf(2, resumable(2))]);
    const settled = delivery.settled();
    delivery.giveUp();
    await settled;
    producer.batches[0]?.answer({ stored: 2, failures: [] });
    await new Promise(setImmediate);
    expect([counted.produced, counted.dropped, inFlight(), delivery.undelivered]).toEqual([0, 2, 0, 2]);
    expect(counted.causes).toEqual(['delivery_unknown']);
    expect([committed, tracker.committable()]).toEqual([[], []]);
  });

  it('counts a batch that it was waiting with once, and takes no other', async () => {
    const admitted = Promise.withResolvers<void>();
    const { delivery, producer, counted, inFlight } = setup({ admit: () => admitted.promise });
    const delivered = delivery.deliver([recordOf(1)]);
    delivery.giveUp();
    admitted.resolve();
    await delivered;
    await delivery.deliver([recordOf(2)]);
    expect([counted.dropped, inFlight(), producer.batches.length]).toEqual([1, 0, 0]);
  });
});
