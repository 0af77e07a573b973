import { describe, expect, it } from 'vitest';
import type { AnySourceConnector } from '../contract/source-connector.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { SourceTask } from '../contract/source-task.ts';
import type { TaskContext } from '../contract/task-context.ts';
import { scriptedConnector } from './scripted-connector.ts';
import { createScriptedPeer, type ScriptedPeer } from './scripted-peer.ts';
import { describeSourceTask, type SourceTaskHarness } from './source-task-contract.ts';

function harnessOf(wrap: (task: SourceTask) => SourceTask): SourceTaskHarness {
  let peer: ScriptedPeer;
  const sound: AnySourceConnector = scriptedConnector(() => peer);
  return {
    name: 'the scripted source',
    connector: { ...sound, createTask: () => wrap(sound.createTask()) },
    peer: async () => {
      peer = createScriptedPeer();
      return {
        send: (texts) => {
          peer.send(...texts);
        },
        connections: () => peer.connections,
        drop: () => peer.drop(),
        goAway: () => peer.goAway(),
        comeBack: () => peer.comeBack(),
        close: async () => peer.drop(),
      };
    },
    config: (_, overrides) => ({ topic: 'prices', 'scripted.token': 's3cr3t-t0ken', ...overrides }),
    badLocalInputs: [
      {
        name: 'an unreadable file',
        overrides: { 'scripted.start.error': 'cannot read ca.pem' },
        code: 'file_unreadable',
      },
    ],
    queueOf: (messages) => ({ 'scripted.queue.size': String(messages) }),
    reconnect: {
      withPolicy: ({ intervalMs, maxMs }) => ({
        'scripted.reconnect.interval.ms': String(intervalMs),
        'scripted.reconnect.backoff.max.ms': String(maxMs),
      }),
      never: { 'scripted.reconnect.max.attempts': '0' },
    },
    secrets: ['s3cr3t-t0ken'],
  };
}

describeSourceTask(
  harnessOf((task) => task),
  { describe, it },
);

/** A task that does as the sound one, but for some methods. */
function withDefect(sound: SourceTask, defect: Partial<SourceTask>): SourceTask {
  return {
    start: (config, context) => sound.start(config, context),
    poll: () => sound.poll(),
    stop: () => sound.stop(),
    connection: () => sound.connection?.() ?? { state: 'closed' },
    ...defect,
  };
}

const polling =
  (change: (records: readonly SourceRecord[]) => readonly SourceRecord[]) =>
  (sound: SourceTask): SourceTask =>
    withDefect(sound, { poll: async () => change(await sound.poll()) });

const starting =
  (before: (context: TaskContext) => void) =>
  (sound: SourceTask): SourceTask =>
    withDefect(sound, {
      start: async (config, context) => {
        before(context);
        await sound.start(config, context);
      },
    });

const shared = Buffer.alloc(1000);

interface Defect {
  /** Beginning of the name of the test that has to find it. */
  readonly test: string;
  readonly complaint: string | RegExp;
  /** It is found because something does not come. */
  readonly waits?: true;
  readonly wrap: (sound: SourceTask) => SourceTask;
}

const armTimer = starting(({ clock }) => clock.after(60_000, () => undefined));

const defects: readonly [string, Defect][] = [
  [
    'turns batches around',
    {
      test: 'poll waits',
      complaint: 'deep-equal',
      wrap: polling((records) => [...records].reverse()),
    },
  ],
  [
    'hands out bytes that it uses again',
    {
      test: 'a record keeps its content',
      complaint: 'deep-equal',
      wrap: polling((records) =>
        records.map((record) => {
          const text = record.value as Uint8Array;
          shared.set(text);
          return { ...record, value: shared.subarray(0, text.length) };
        }),
      ),
    },
  ],
  [
    'makes up offsets',
    {
      test: 'every record has the documented',
      complaint: 'deep-equal',
      wrap: polling((records) => records.map((record) => ({ ...record, sourceOffset: { position: 1 } }))),
    },
  ],
  [
    'loses a record',
    {
      test: 'a full queue',
      complaint: 'not within 1000 ms: a record after 2 of 3 records',
      waits: true,
      wrap: polling((records) => records.slice(0, 2)),
    },
  ],
  [
    'leaves a timer',
    { test: 'stop twice', complaint: '1 timers to be taken back', waits: true, wrap: armTimer },
  ],
  [
    'leaves a timer after a failed start',
    { test: 'start rejects an unreadable file', complaint: 'timers are armed', wrap: armTimer },
  ],
  [
    'logs what its table lacks',
    {
      test: 'stop twice',
      complaint: 'event "surprise" at level info is not in the table',
      wrap: starting(({ logger }) => logger.info({ event: 'surprise' })),
    },
  ],
  [
    'logs a secret',
    {
      test: 'stop twice',
      complaint: 'a secret was logged',
      wrap: starting(({ logger }) => logger.info({ event: 'connected', token: 's3cr3t-t0ken' })),
    },
  ],
  [
    'cannot be stopped twice',
    {
      test: 'stop twice',
      complaint: 'was stopped before',
      wrap: (sound) => {
        let stops = 0;
        return withDefect(sound, {
          stop: async () => {
            stops += 1;
            await sound.stop();
            if (stops === 2) throw new Error('was stopped before');
          },
        });
      },
    },
  ],
  [
    'hides its failure',
    {
      test: 'a failure for good',
      complaint: 'Missing expected rejection',
      wrap: (sound) => withDefect(sound, { poll: () => sound.poll().catch(() => []) }),
    },
  ],
];

describe('the contract suite', () => {
  it.each(defects)('finds a task that %s', async (_, { test, complaint, waits = false, wrap }) => {
    const tests = new Map<string, () => Promise<void>>();
    const runner = {
      describe: (_name: string, body: () => void) => body(),
      it: (name: string, body: () => Promise<void>) => tests.set(name, body),
    };
    // Long enough for what does come, also on a machine that stands still meanwhile.
    describeSourceTask({ ...harnessOf(wrap), patienceMs: waits ? 1000 : 10_000 }, runner);
    const found = [...tests].find(([name]) => name.startsWith(test));
    await expect(found?.[1]()).rejects.toThrow(complaint);
  });
});
