import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MetricGroup, type RawConfig, type SourceRecord } from '@levada/connect-runtime-core';
import type { DropCause } from '@levada/connect-runtime-core/source-kit';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type PostAnswer, postExport } from '@levada/test-peers/otlp';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otlpConfig } from '../src/config/config.ts';
import { otlpMetrics } from '../src/model/metrics.ts';
import { type RunningTask, startTask, testConfig, texts } from './running-task.ts';

type Mode = 'queued' | 'produced' | 'spool';

/** Something that happens to a task, or that it is made to do. */
type Step =
  | { readonly kind: 'send'; readonly spans: number; readonly large: boolean }
  | { readonly kind: 'poll' }
  | { readonly kind: 'settle'; readonly which: number; readonly cause: DropCause | undefined }
  | { readonly kind: 'resize'; readonly size: number }
  | { readonly kind: 'divide'; readonly mode: 'request' | 'item' }
  | { readonly kind: 'restart'; readonly hard: boolean };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      spans: fc.integer({ min: 0, max: 4 }),
      large: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'poll' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(),
      cause: fc.constantFrom(undefined, undefined, 'produce_rejected' as const, 'delivery_unknown' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('resize' as const), size: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('divide' as const),
      mode: fc.constantFrom('request' as const, 'item' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), hard: fc.boolean() }) },
);

/** One play: a task, and restarts of it, with what a runtime keeps beside it. */
class Play {
  readonly #mode: Mode;
  readonly #folder = mkdtempSync(join(tmpdir(), 'levada-otlp-'));
  readonly #metrics = new MetricGroup(otlpMetrics);
  #live: RawConfig = { 'otlp.message.queue.size': '3' };
  #task: RunningTask | undefined;
  #polled: (readonly SourceRecord[])[] = [];
  #settled = 0;
  #sent = 0;
  /** Names of spans that are in the log. */
  readonly #stored = new Set<string>();
  /** Names of spans that were answered with success. */
  readonly #taken = new Set<string>();
  /** Names of spans that the log, or the end of a task without a spool, dropped. */
  readonly #lost = new Set<string>();
  /** Names of spans that were answered with success before the log had them. */
  readonly #early: string[] = [];
  readonly #answers: Promise<void>[] = [];

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  /** Returns the names of spans that were answered with success too early, or wrongly. */
  async run(play: readonly Step[]): Promise<readonly string[]> {
    try {
      await this.#start();
      for (const step of play) {
        await this.#step(step);
        await this.#check();
      }
      await this.#end();
      const missing = [...this.#taken].filter((name) => !this.#stored.has(name) && !this.#lost.has(name));
      return [...this.#early, ...missing];
    } finally {
      await this.#task?.stop();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  get #running(): RunningTask {
    if (this.#task === undefined) throw new Error('no task runs');
    return this.#task;
  }

  #config(): RawConfig {
    return {
      'otlp.ack.mode': this.#mode,
      'otlp.spool.path': this.#mode === 'spool' ? this.#folder : null,
      'otlp.spool.bytes': '1048576',
      'otlp.max.request.size': '1048576',
      'otlp.record.max.bytes': '1024',
      'otlp.grpc.enabled': 'false',
      ...this.#live,
    } as RawConfig;
  }

  async #start(): Promise<void> {
    const raw = Object.fromEntries(Object.entries(this.#config()).filter(([, value]) => value !== null));
    this.#task = await startTask(raw, { metrics: this.#metrics });
  }

  async #step(step: Step): Promise<void> {
    if (step.kind === 'send') await this.#send(step.spans, step.large);
    else if (step.kind === 'poll') await this.#poll();
    else if (step.kind === 'settle') this.#settle(step.which, step.cause);
    else if (step.kind === 'restart') await this.#restart(step.hard);
    else {
      const change =
        step.kind === 'resize'
          ? { 'otlp.message.queue.size': String(step.size) }
          : { 'otlp.record.mode': step.mode };
      this.#live = { ...this.#live, ...change };
      const raw = Object.fromEntries(Object.entries(this.#config()).filter(([, value]) => value !== null));
      await this.#running.task.reconfigure(otlpConfig.parse(testConfig(raw)));
    }
  }

  async #send(count: number, large: boolean): Promise<void> {
    const names = Array.from({ length: count }, () => {
      this.#sent += 1;
      return `<${this.#sent}>`;
    });
    const spans = names.map((name, i) => ({ name: large && i === 0 ? name + 'n'.repeat(2000) : name }));
    const before = this.#metrics.read('TotalMessagesReceived');
    const answer = postExport(this.#metrics.read('HttpPort'), 'traces', {
      resourceSpans: [{ scopeSpans: [{ spans }] }],
    }).then(
      (response) => this.#countAnswer(response, large ? names.slice(1) : names),
      () => undefined,
    );
    this.#answers.push(answer);
    let over = false;
    void answer.then(() => {
      over = true;
    });
    await waitFor(() => over || this.#metrics.read('TotalMessagesReceived') > before);
    if (this.#mode !== 'produced') await answer;
  }

  #countAnswer({ status }: PostAnswer, names: readonly string[]): void {
    if (status !== 200) return;
    for (const name of names) {
      this.#taken.add(name);
      const mustBeThere = this.#mode === 'produced' && !this.#lost.has(name);
      if (mustBeThere && !this.#stored.has(name)) this.#early.push(name);
    }
  }

  async #poll(): Promise<void> {
    if (this.#metrics.read('QueueSize') + this.#metrics.read('SpooledCount') === 0) return;
    this.#polled.push(await this.#running.poll());
  }

  #settle(which: number, cause: DropCause | undefined): void {
    const [batch] = this.#polled.splice(which % Math.max(1, this.#polled.length), 1);
    if (batch === undefined) return;
    const dropped = new Map(cause === undefined ? [] : [[batch.length - 1, cause]]);
    this.#settled += batch.length;
    batch.forEach((record, index) => {
      for (const name of namesIn(record)) (dropped.has(index) ? this.#lost : this.#stored).add(name);
    });
    this.#running.task.committed(batch, dropped);
  }

  async #restart(hard: boolean): Promise<void> {
    const { task, abort } = this.#running;
    if (hard) abort();
    else this.#settleAll();
    const stopping = task.stop();
    for (let batch = await task.poll(); batch.length > 0; batch = await task.poll()) {
      this.#polled.push(batch);
      if (!hard) this.#settleAll();
    }
    this.#giveUp();
    await stopping;
    await task.stop();
    await Promise.all(this.#answers.splice(0));
    await this.#start();
  }

  #settleAll(): void {
    while (this.#polled.length > 0) this.#settle(0, undefined);
  }

  /** What a runtime does with what is left at a hard stop: it counts it as dropped. */
  #giveUp(): void {
    for (const batch of this.#polled) {
      this.#settled += batch.length;
      if (this.#mode !== 'spool') for (const name of batch.flatMap(namesIn)) this.#lost.add(name);
    }
    this.#polled = [];
  }

  async #check(): Promise<void> {
    const handedOut = this.#polled.reduce((sum, batch) => sum + batch.length, 0);
    const unaccounted = (): number => this.#metrics.read('UnaccountedCount') - handedOut - this.#settled;
    await waitFor(() => unaccounted() === 0, {
      what: () => `${unaccounted()} messages are not accounted for`,
    });
  }

  async #end(): Promise<void> {
    for (;;) {
      this.#settleAll();
      if (this.#metrics.read('QueueSize') + this.#metrics.read('SpooledCount') === 0) break;
      await this.#poll();
    }
    await Promise.all(this.#answers);
    await this.#check();
  }
}

function namesIn(record: SourceRecord): readonly string[] {
  return texts([record])[0]?.match(/<\d+>/g) ?? [];
}

describe('a random play of an OTLP task', () => {
  it.each(['queued', 'produced', 'spool'] as const)(
    'a task accounts for every message, and stores what was answered with success (%s)',
    async (mode) => {
      const property = fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 40 }), async (play) => {
        expect(await new Play(mode).run(play)).toEqual([]);
      });
      await expect(fc.assert(property, { numRuns: 15 })).resolves.toBeUndefined();
    },
  );
});
