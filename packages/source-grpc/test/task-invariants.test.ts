import type { SourceRecord } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  eventBytes,
  eventJson,
  type ServerCall,
  type StreamServer,
  startStreamServer,
} from '@levada/test-peers/grpc';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldsOf } from './feed.ts';
import { drain, type RunningTask, startTask, texts } from './running-task.ts';

type Step =
  | { readonly do: 'good' | 'broken' | 'long'; readonly count: number }
  | { readonly do: 'end'; readonly status: 'UNAVAILABLE' | 'INTERNAL' | undefined }
  | { readonly do: 'kill' }
  | { readonly do: 'poll' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constantFrom('good', 'good', 'broken', 'long'),
        count: fc.integer({ min: 1, max: 9 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('poll') }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('end'),
        status: fc.constantFrom('UNAVAILABLE', 'INTERNAL', undefined),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('kill') }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 25 },
);

const bytesOf = { broken: Buffer.from([0x0a, 0x7f]), long: eventBytes({ payload: 'x'.repeat(600) }) };

/** A server, a task with a queue of 6, and what was sent to it: in order, and all of it received. */
class Play {
  readonly server: StreamServer;
  readonly running: RunningTask;
  readonly polled: SourceRecord[] = [];
  readonly sent: ('broken' | 'long' | 'good')[] = [];
  #calls = 1;

  constructor(server: StreamServer, running: RunningTask) {
    this.server = server;
    this.running = running;
  }

  get call(): Promise<ServerCall> {
    return this.server.call(this.#calls - 1);
  }

  async step(step: Step): Promise<void> {
    if (step.do === 'poll') await this.#poll();
    else if (step.do === 'end') await this.#end(async () => (await this.call).end(step.status));
    else if (step.do === 'kill')
      await this.#end(async () => {
        this.server.kill();
        await this.server.listen();
      });
    else await this.#send(step.do, step.count);
  }

  async #send(kind: 'good' | 'broken' | 'long', count: number): Promise<void> {
    const call = await this.call;
    for (let i = 0; i < count; i += 1) {
      this.sent.push(kind);
      call.send(kind === 'good' ? eventBytes({ payload: `m${this.sent.length}` }) : bytesOf[kind]);
    }
    await waitFor(() => this.running.metrics.read('MessagesReceived') === this.sent.length);
  }

  /** Of a queue with nothing but broken messages comes no record: then one good message follows. */
  async #poll(): Promise<void> {
    if (this.running.metrics.read('QueueSize') === 0) return;
    let waits = true;
    const polling = this.running.task.poll().finally(() => {
      waits = false;
    });
    await new Promise((resolve) => setImmediate(resolve));
    if (waits) await this.#send('good', 1);
    this.polled.push(...(await polling));
  }

  async #end(how: () => Promise<void>): Promise<void> {
    await this.call;
    await how();
    this.#calls += 1;
    await this.call;
    await this.running.logged('session_initialized', this.#calls);
  }

  /** The observed outcome of the sequence. */
  outcome() {
    const { metrics, events } = this.running;
    const drops = events.flatMap((event) => (event.type === 'dropped' ? [event.count] : []));
    const sessions = fieldsOf(this.running, 'session_initialized').map((each) => each['session_id']);
    return {
      numbers: this.#numbers(),
      texts: texts(this.polled),
      counted: metrics.snapshot(),
      droppedByEvents: drops.reduce((sum, count) => sum + count, 0),
      sessions: new Set(sessions).size,
    };
  }

  /** The outcome that every sequence must have. */
  expected() {
    const numbers = this.#numbers();
    const dropped = this.sent.length - this.polled.length;
    return {
      numbers: [...new Set(numbers)].sort((a, b) => a - b),
      texts: numbers.map((number) => eventJson({ payload: `m${number}` })),
      counted: {
        MessagesReceived: this.sent.length,
        MessagesDropped: dropped,
        SequenceGaps: dropped,
        DroppedMessageTooLarge: this.sent.filter((kind) => kind === 'long').length,
        QueueSize: 0,
        UnaccountedCount: this.polled.length,
        TotalReconnects: this.#calls - 1,
      },
      droppedByEvents: dropped,
      sessions: this.#calls,
    };
  }

  #numbers(): readonly number[] {
    return this.polled.map(({ sourceOffset }) => Number(sourceOffset?.['sequence']));
  }
}

it('turns each message into a record in order or counts it as dropped, and reports each missing number', async () => {
  const property = fc.asyncProperty(steps, async (sequence) => {
    const server = await startStreamServer();
    const running = await startTask(server.port, {
      'grpc.message.queue.size': '6',
      'grpc.queue.full.grace.ms': '50',
      'grpc.max.inbound.message.size': '500',
      'grpc.reconnect.backoff.max.ms': '2',
    });
    const play = new Play(server, running);
    try {
      await play.call;
      for (const step of sequence) await play.step(step);
      await running.task.stop();
      play.polled.push(...(await drain(running.task)));
      expect(play.outcome()).toMatchObject(play.expected());
    } finally {
      running.abort();
      await running.task.stop();
      await server.close();
    }
  });
  await fc.assert(property, { numRuns: 30 });
});
