import { ConnectorError } from '@levada/connect-runtime-core';
import type { SendResult } from '@levada/connect-runtime-core/platform';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelBroker } from '../../test/model-broker.ts';
import { record } from '../../test/producing.ts';
import { codecs } from '../compression/codecs.ts';
import { BufferPool } from './buffer-pool.ts';
import { PartitionState } from './partition-state.ts';
import { PendingBatch, sameError } from './pending-batch.ts';
import { RecordBatch } from './record-batch.ts';
import { encodeHeaders } from './record-encoding.ts';
import { Submission } from './submission.ts';

/** Shared by thousands of runs; not all of them return their buffers. */
const pool = new BufferPool({ size: 4096, keep: 8, clock: createManualClock() });

const NOT_LEADER = 6;
const TIMED_OUT = 7;
const NOT_ALLOWED = 29;
const INVALID_RECORD = 87;

type Action =
  | { readonly kind: 'add'; readonly count: number }
  | { readonly kind: 'send' }
  /** The broker accepts the oldest request and its answer arrives. */
  | { readonly kind: 'answer' }
  /** The broker refuses the oldest request. */
  | { readonly kind: 'refuse'; readonly code: typeof NOT_LEADER | typeof NOT_ALLOWED | typeof INVALID_RECORD }
  /** The broker accepts the oldest request and answers that it may not have. */
  | { readonly kind: 'in-doubt' }
  /** The broker accepts this number of requests, then the connection ends. */
  | { readonly kind: 'tear'; readonly taken: number }
  | { readonly kind: 'limit'; readonly limit: number }
  | { readonly kind: 'expire'; readonly count: number };

function refuseRecord(): number {
  return INVALID_RECORD;
}

/** A partition and its requests to a broker, driven step by step. */
class Run {
  readonly broker = new ModelBroker();
  readonly ledger = { pendingBytes: 0, unsentBytes: 0 };
  readonly results: Promise<SendResult>[] = [];
  readonly #partition = new PartitionState('t', 0);
  readonly #inFlight: { readonly batch: PendingBatch; readonly wire: Buffer }[] = [];
  #records = 0;
  #producers = 0n;

  act(action: Action): void {
    switch (action.kind) {
      case 'add':
        this.#add(action.count);
        break;
      case 'send':
        this.#send();
        break;
      case 'answer':
        this.#answer((wire) => this.broker.produce(wire));
        break;
      case 'refuse':
        this.#answer(action.code === INVALID_RECORD ? refuseRecord : () => action.code);
        break;
      case 'in-doubt':
        this.#answer((wire) => {
          this.broker.produce(wire);
          return TIMED_OUT;
        });
        break;
      case 'tear':
        this.#tear(action.taken);
        break;
      case 'limit':
        this.broker.limit = action.limit;
        break;
      case 'expire':
        this.#expire(action.count);
        break;
    }
  }

  /** Completes without further failures. Returns false if that does not settle everything. */
  finish(): boolean {
    for (let steps = 0; !this.#partition.empty && steps < 1000; steps++) {
      this.#send();
      this.#answer((wire) => this.broker.produce(wire));
    }
    return this.#partition.empty;
  }

  #add(count: number): void {
    const submission = new Submission(count);
    this.results.push(submission.result);
    const batch = new PendingBatch(new RecordBatch(pool, 0), {
      ledger: this.ledger,
      createdAt: this.results.length,
    });
    for (let index = 0; index < count; index++) {
      batch.append(record('t', String(this.#records++)), encodeHeaders([]), { submission, index });
    }
    batch.seal(0, codecs.none);
    this.#partition.queue.push(batch);
  }

  #send(): void {
    const { sequenced, queue } = this.#partition;
    if (!this.#partition.sendable || this.#inFlight.length >= 5) return;
    if (sequenced.identity === undefined) sequenced.assignIdentity({ id: ++this.#producers, epoch: 32_760 });
    const batch = sequenced.firstWaiting() ?? queue.shift();
    if (batch === undefined) return;
    if (batch.phase === 'queued') sequenced.add(batch);
    sequenced.noteSent(batch, 0);
    this.#inFlight.push({ batch, wire: Buffer.from(batch.records.wire()) });
  }

  #answer(take: (wire: Buffer) => number): void {
    const oldest = this.#inFlight.shift();
    if (oldest === undefined) return;
    const { batch, wire } = oldest;
    const records = [{ index: 0, message: 'not this one' }];
    // An invalid record is invalid from the start and cannot have been stored before
    const code = batch.inDoubt && take === refuseRecord ? NOT_LEADER : take(wire);
    const answer = {
      topic: 't',
      partition: 0,
      code,
      message: null,
      records: code === INVALID_RECORD ? records : [],
    };
    this.#partition.sequenced.noteAnswer(batch, answer, 0);
    this.#resolve();
  }

  #tear(taken: number): void {
    for (const { wire } of this.#inFlight.slice(0, taken)) this.broker.produce(wire);
    for (const { batch } of this.#inFlight.splice(0)) this.#partition.sequenced.noteUnanswered(batch);
    this.#resolve();
  }

  #expire(count: number): void {
    const last = [...this.#partition.unsettledBatches()].slice(0, count).at(-1);
    const errors = sameError(new ConnectorError('delivery_timeout', 'late'));
    if (last !== undefined) this.#partition.expireBefore(last.createdAt, errors);
  }

  #resolve(): void {
    const { sequenced } = this.#partition;
    if (sequenced.idle && sequenced.needsResolution) this.#partition.resolve();
  }
}

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('send' as const) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('answer' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('in-doubt' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refuse' as const),
      code: fc.constantFrom<6 | 29 | 87>(NOT_LEADER, NOT_ALLOWED, INVALID_RECORD),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tear' as const), taken: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('expire' as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
);
const anyLimit: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant('limit' as const),
  limit: fc.integer({ min: 1, max: 6 }),
});

/** The numbers of the records with this outcome. */
async function numbers(
  run: Run,
  of: (error: ConnectorError | undefined) => boolean,
): Promise<readonly number[]> {
  const found: number[] = [];
  let first = 0;
  for (const { stored, failures } of await Promise.all(run.results)) {
    const errors = new Map(failures.map(({ index, error }) => [index, error]));
    for (let index = 0; index < stored + failures.length; index++)
      if (of(errors.get(index))) found.push(first + index);
    first += stored + failures.length;
  }
  return found;
}

function mayBeStored(error: ConnectorError | undefined): boolean {
  return error?.code === 'delivery_timeout' || error?.cause !== undefined;
}

/** The log after these actions, and the expected one. */
async function outcome(actions: readonly Action[]) {
  const run = new Run();
  for (const action of actions) run.act(action);
  const settled = run.finish();
  const log = run.broker.log.map(Number);
  const unsure = new Set(await numbers(run, mayBeStored));
  return {
    settled,
    ledger: run.ledger,
    log,
    sorted: [...new Set(log)].sort((one, other) => one - other),
    // Records that were given up, or refused permanently after an unanswered attempt, may or may not be stored
    sure: log.filter((number) => !unsure.has(number)),
    stored: await numbers(run, (error) => error === undefined),
  };
}

describe('a partition', () => {
  it('a full batch counts as unsent until it is sent, and a filling one does not count', () => {
    const ledger = { pendingBytes: 0, unsentBytes: 0 };
    const batch = new PendingBatch(new RecordBatch(pool, 0), { ledger, createdAt: 1 });
    batch.append(record('t', 'x'), encodeHeaders([]), { submission: new Submission(1), index: 0 });
    const filling = ledger.unsentBytes;
    batch.seal(0, codecs.none);
    expect([filling, ledger.unsentBytes]).toEqual([0, batch.bytes]);
    batch.noteSent();
    expect(ledger).toEqual({ pendingBytes: batch.bytes, unsentBytes: 0 });
  });

  it('each record is stored once and in order, across lost answers, refusals and given-up batches', async () => {
    const actions = fc.array(anyAction, { maxLength: 120, size: 'max' });
    const property = fc.asyncProperty(actions, async (steps) => {
      const { settled, ledger, log, sorted, sure, stored } = await outcome(steps);
      expect({ settled, ...ledger }).toEqual({ settled: true, pendingBytes: 0, unsentBytes: 0 });
      expect(log).toEqual(sorted);
      expect(sure).toEqual(stored);
    });
    await fc.assert(property, { numRuns: 2000 });
  }, 120_000);

  it('each record is stored once and in order even if batches are too large from the start', async () => {
    const actions = fc.tuple(anyLimit, fc.array(anyAction, { maxLength: 80, size: 'max' }));
    const property = fc.asyncProperty(actions, async ([limit, steps]) => {
      const { settled, log, sorted, sure, stored } = await outcome([limit, ...steps]);
      expect(settled).toBe(true);
      expect(log).toEqual(sorted);
      expect(sure).toEqual(stored);
    });
    await fc.assert(property, { numRuns: 1000 });
  }, 120_000);
});
