import assert from 'node:assert/strict';
import type { RawConfig } from '../config/config-key.ts';
import type { AnySourceConnector } from '../contract/source-connector.ts';
import type { SourceOffset, SourcePartition } from '../contract/source-offset.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { ErrorCode } from '../diagnostics/error-codes.ts';
import type { BackoffPolicy } from '../time/backoff.ts';
import { type TaskUnderTest, taskUnderTest } from './task-under-test.ts';
import { waitFor } from './wait-for.ts';

/** The other side of a source, as real as it gets: a server on loopback for a client, a client for a server. */
export interface ContractPeer {
  /** Sends texts, in order; as a server over every open connection. */
  send(texts: readonly string[]): Promise<void> | void;
  /** Connections that the source holds open now. */
  connections(): number;
  /** Ends the open connections. New ones are accepted. */
  drop(): Promise<void> | void;
  /** Ends the open connections and refuses new ones, until `comeBack`. */
  goAway(): Promise<void> | void;
  comeBack(): Promise<void> | void;
  close(): Promise<void>;
}

export interface SourceTaskHarness {
  readonly name: string;
  readonly connector: AnySourceConnector;
  /** A peer of its own for each test. */
  peer(): Promise<ContractPeer>;
  /** A valid configuration that reaches the peer, with the keys of `overrides` in place of its own. */
  config(peer: ContractPeer, overrides: RawConfig): RawConfig;
  /** Configurations that parse, and that a start must refuse without touching the network. */
  readonly badLocalInputs: readonly {
    readonly name: string;
    readonly overrides: RawConfig;
    readonly code: ErrorCode;
  }[];
  /** Attributes that count messages received and dropped. Default: MessagesReceived and MessagesDropped. */
  readonly counters?: { readonly received: string; readonly dropped: string };
  /** Keys for a queue of so many messages. */
  queueOf(messages: number): RawConfig;
  /** For sources that connect to their peer. */
  readonly reconnect?: {
    /** Keys for this policy, without a limit of attempts. */
    withPolicy(policy: BackoffPolicy): RawConfig;
    /** Keys with which a lost connection is the end. */
    readonly never: RawConfig;
  };
  /** The text that a record was made from. Default: its value, as text. */
  readonly textOf?: (record: SourceRecord) => string;
  /** Partition and offset of the n-th record of a run, from 0, as the README says. Default: both null. */
  readonly offsetOf?: (
    index: number,
    record: SourceRecord,
  ) => { readonly partition: SourcePartition | null; readonly offset: SourceOffset | null };
  /** Secrets of the configuration: the suite looks for them in everything that is logged. */
  readonly secrets?: readonly string[];
  /** Real milliseconds that something may take to happen. Default 2000. */
  readonly patienceMs?: number;
}

/** The two functions of a test runner: vitest's, or those of `node:test`. */
export interface ContractTestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

interface Scene extends TaskUnderTest {
  /** Waits for a condition, as long as the harness has patience. */
  readonly eventually: <T>(
    condition: () => T | Promise<T>,
    what?: () => string,
  ) => ReturnType<typeof waitFor<T>>;
  readonly peer: ContractPeer;
  readonly config: RawConfig;
}

/** Registers the tests that every source passes. What a source does beyond is tested in its own package. */
export function describeSourceTask(harness: SourceTaskHarness, { describe, it }: ContractTestRunner): void {
  const textOf = harness.textOf ?? ((record: SourceRecord) => valueText(record.value));
  const patienceMs = harness.patienceMs ?? 2000;
  const { received, dropped } = harness.counters ?? {
    received: 'MessagesReceived',
    dropped: 'MessagesDropped',
  };
  const texts = (records: readonly SourceRecord[]): string[] => records.map(textOf);

  /** One test: peer, task, body; then everything must be closed, accounted for, and logged by the table. */
  const play = (name: string, overrides: RawConfig, body: (scene: Scene) => Promise<void>): void => {
    it(name, async () => {
      const peer = await harness.peer();
      const scene = {
        ...taskUnderTest(harness.connector, { patienceMs }),
        peer,
        config: harness.config(peer, overrides),
        eventually: <T>(condition: () => T | Promise<T>, what?: () => string) =>
          waitFor(condition, { timeoutMs: patienceMs, ...(what === undefined ? {} : { what }) }),
      };
      try {
        await body(scene);
        scene.hardStop();
        await scene.task.stop();
        await checkNothingOpen(scene);
        checkLines(harness, scene);
      } finally {
        scene.hardStop();
        await scene.task.stop();
        await peer.close();
      }
    });
  };
  const started = async (scene: Scene): Promise<void> => {
    await scene.start(scene.config);
    if (harness.reconnect !== undefined) await scene.connected();
  };

  describe(`${harness.name} keeps the contract of a source task`, () => {
    for (const { name, overrides, code } of harness.badLocalInputs) {
      play(`start rejects ${name}, and leaves nothing open`, overrides, async (scene) => {
        await assert.rejects(scene.start(scene.config), { code });
        assert.equal(scene.peer.connections(), 0);
        assert.equal(scene.clock.pending, 0, 'timers are armed after a failed start');
      });
    }

    play('stop before start is harmless', {}, async ({ task }) => {
      await task.stop();
    });

    play('poll waits, then returns records in the order of arrival', {}, async (scene) => {
      await started(scene);
      let waiting = true;
      const first = scene.take(1).finally(() => {
        waiting = false;
      });
      await scene.clock.advance(0);
      assert.ok(waiting, 'poll returned before anything arrived');
      await scene.peer.send(['m0']);
      const later = ['m1', 'm2', 'm3', 'm4'];
      const head = await first;
      await scene.peer.send(later);
      const tail = await scene.take(later.length);
      assert.deepEqual(texts([...head, ...tail]), ['m0', ...later]);
    });

    play('a record keeps its content while others arrive', {}, async (scene) => {
      await started(scene);
      const early = Array.from({ length: 20 }, (_, i) => `early ${i} ${'e'.repeat(i * 7)}`);
      await scene.peer.send(early);
      const records = await scene.take(early.length);
      await scene.peer.send(Array.from({ length: 50 }, (_, i) => `late ${i} ${'l'.repeat(i * 3)}`));
      await scene.take(50);
      assert.deepEqual(texts(records), early);
    });

    play('every record has the documented partition and offset', {}, async (scene) => {
      await started(scene);
      await scene.peer.send(['a', 'b', 'c']);
      for (const [index, record] of (await scene.take(3)).entries()) {
        const want = harness.offsetOf?.(index, record) ?? { partition: null, offset: null };
        assert.deepEqual([record.sourcePartition, record.sourceOffset], [want.partition, want.offset]);
      }
    });

    play('a full queue drops the newest and counts it', harness.queueOf(3), async (scene) => {
      await started(scene);
      const sent = ['1', '2', '3', '4', '5'];
      await scene.peer.send(sent);
      await scene.eventually(() => readMetric(scene, received) === sent.length);
      assert.equal(readMetric(scene, dropped), 2);
      assert.equal(readMetric(scene, 'QueueSize'), 3);
      assert.equal(readMetric(scene, 'UnaccountedCount'), 0);
      assert.deepEqual(texts(await scene.take(3)), ['1', '2', '3']);
    });

    play('stop wakes a waiting poll, which ends', {}, async (scene) => {
      await started(scene);
      const polled = scene.task.poll();
      await scene.clock.advance(0);
      await scene.task.stop();
      assert.deepEqual(await polled, []);
      assert.deepEqual(await scene.task.poll(), [], 'poll after the end');
    });

    play('stop ends intake, and poll hands out what is queued', {}, async (scene) => {
      await started(scene);
      await scene.peer.send(['q1', 'q2', 'q3']);
      await scene.eventually(() => readMetric(scene, received) === 3);
      await scene.task.stop();
      await scene.eventually(() => scene.peer.connections() === 0);
      assert.deepEqual(texts(await scene.rest()), ['q1', 'q2', 'q3']);
      assert.equal(readMetric(scene, 'QueueSize'), 0);
    });

    play('stop twice, also at once, is harmless', {}, async (scene) => {
      await started(scene);
      await Promise.all([scene.task.stop(), scene.task.stop()]);
      await scene.task.stop();
      assert.deepEqual(await scene.rest(), []);
    });

    play('the hard stop releases every connection and timer', {}, async (scene) => {
      await started(scene);
      await scene.peer.send(['x']);
      await scene.eventually(() => readMetric(scene, received) === 1);
      scene.hardStop();
      await scene.task.stop();
      await checkNothingOpen(scene);
      const ended = scene.rest().then(
        () => 'ended',
        () => 'ended with an error',
      );
      assert.match(await ended, /^ended/);
    });

    const { reconnect } = harness;
    if (reconnect === undefined) return;
    const policy = { intervalMs: 1000, maxMs: 4000 };

    play('an unreachable peer is no start failure', reconnect.withPolicy(policy), async (scene) => {
      await scene.peer.goAway();
      await scene.start(scene.config);
      await scene.eventually(() => retries(scene).length > 0);
      await scene.peer.comeBack();
      await advanceUntil(scene, () => scene.task.connection?.().state === 'connected');
    });

    play('a lost peer is tried once per back-off step', reconnect.withPolicy(policy), async (scene) => {
      await started(scene);
      await scene.peer.goAway();
      for (const [step, low] of [1000, 2000, 4000, 4000].entries()) {
        const retry = await scene.eventually(
          () => retries(scene)[step],
          () => `attempt ${step + 1}`,
        );
        assert.equal(retry.attempt, step + 1);
        const high = Math.min(low * 1.25, policy.maxMs);
        assert.ok(
          retry.delayMs >= low && retry.delayMs <= high,
          `attempt ${step + 1} after ${retry.delayMs} ms`,
        );
        await scene.clock.advance(retry.delayMs - 1);
        assert.equal(retries(scene).length, step + 1, 'tried too early');
        await scene.clock.advance(1);
      }
      assert.equal(readMetric(scene, 'IsConnected'), 0);
    });

    play('records flow again after the peer is back', reconnect.withPolicy(policy), async (scene) => {
      await started(scene);
      await scene.peer.send(['before']);
      assert.deepEqual(texts(await scene.take(1)), ['before']);
      await scene.peer.drop();
      await scene.eventually(() => retries(scene).length > 0);
      await advanceUntil(scene, () => scene.task.connection?.().state === 'connected');
      await scene.peer.send(['after']);
      assert.deepEqual(texts(await scene.take(1)), ['after']);
      assert.equal(scene.peer.connections(), 1);
    });

    play('a failure for good rejects poll, after what was received', reconnect.never, async (scene) => {
      await started(scene);
      await scene.peer.send(['last words']);
      await scene.eventually(() => readMetric(scene, received) === 1);
      await scene.peer.goAway();
      assert.deepEqual(texts(await scene.take(1)), ['last words']);
      await assert.rejects(scene.task.poll(), { retriable: false });
    });
  });
}

async function checkNothingOpen({ peer, clock, eventually }: Scene): Promise<void> {
  await eventually(
    () => peer.connections() === 0,
    () => `${peer.connections()} connections to close`,
  );
  await eventually(
    () => clock.pending === 0,
    () => `${clock.pending} timers to be taken back`,
  );
}

function checkLines({ connector, secrets = [] }: SourceTaskHarness, { logger }: Scene): void {
  for (const { level, fields } of logger.lines) {
    const event = String(fields['event']);
    assert.equal(
      connector.events[event]?.level,
      level,
      `event "${event}" at level ${level} is not in the table`,
    );
  }
  const text = logger.text();
  for (const secret of secrets) assert.ok(!text.includes(secret), 'a secret was logged');
}

function retries({ emitted }: Scene) {
  return emitted.filter((event) => event.type === 'reconnecting');
}

/** Moves the clock in steps until the condition holds; what happens on the wire takes real time in between. */
async function advanceUntil({ clock, eventually }: Scene, condition: () => boolean): Promise<void> {
  await eventually(async () => {
    await clock.advance(250);
    return condition();
  });
}

function readMetric({ metrics }: Scene, name: string): number {
  return metrics.read(name);
}

function valueText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
}
