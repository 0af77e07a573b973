import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, expect, it } from 'vitest';
import { quickBroker } from '../end-to-end/quick-broker.ts';
import { stage } from '../end-to-end/stage.ts';
import { GroupTrial, type GroupTrialOptions, type Member } from './group-trial.ts';
import type { Load } from './loads.ts';

stage();
let trial: GroupTrial | undefined;
afterEach(async () => {
  await trial?.close();
  trial = undefined;
});

function newTrial(options: GroupTrialOptions): GroupTrial {
  trial = new GroupTrial(options);
  return trial;
}

describeWithBroker('three workers', quickBroker, (broker) => {
  it('never run two tasks of a connector at once over kills, freezes and a broker that restarts', async () => {
    const group = newTrial({
      broker: broker(),
      id: 'trial',
      loads: { webSocket: 4, grpc: 4, otlp: 2, file: 2 },
    });
    for (let i = 0; i < 3; i += 1) await group.startOurs();
    await group.startLoads();
    for (let i = 0; i < 2; i += 1) {
      await group.kill(group.members[0] as Member);
      await group.startOurs();
      await group.untilBalanced();
    }
    await group.freeze(group.members[0] as Member);
    await group.freeze(group.members[1] as Member);
    await group.restartBroker();
    expect(await group.finish()).toEqual([]);
    expect(group.watch.bad).toEqual([]);
    expect(group.watch.answers).toBeGreaterThan(50);
  }, 300_000);
});

describeWithBroker('a worker that freezes again and again', quickBroker, (broker) => {
  it('repeats what it read between two heartbeats, also when it never runs as long as its commit interval', async () => {
    const group = newTrial({
      broker: broker(),
      id: 'freezes',
      loads: { file: 2 },
      keys: { 'offset.flush.interval.ms': '3600000' },
    });
    const [freezing] = [await group.startOurs(), await group.startOurs()];
    await group.startLoads();
    let sentBefore: readonly number[] = [];
    for (let i = 0; i < 4; i += 1) {
      await group.freeze(freezing);
      if (i === 0) sentBefore = group.loads.map((load) => load.sent());
      // 200 lines, which is 5 s.
      for (let more = 0; more < 10; more += 1) await group.untilMore();
    }
    expect(await group.finish()).toEqual([]);
    // Each freeze lasts until another worker runs the task. One that comes just after a commit reads nothing again.
    expect(group.takeoversMs).toHaveLength(4);
    // The worker may not know the first freeze in advance. Then, 40 lines a second and a heartbeat every 500 ms are 20 lines; the rest is for a slow machine.
    const later = await group.linesReadAgain(sentBefore);
    expect(Math.max(0, ...later)).toBeLessThan(100);
  }, 300_000);
});

describeWithBroker('a group of ours and of Java workers', quickBroker, (broker) => {
  it('shares work over kills of any of them and freezes of ours, and takes changes at each', async () => {
    const group = newTrial({ broker: broker(), id: 'mixed', loads: { file: 8 } });
    for (let i = 0; i < 2; i += 1) await group.startOurs();
    await group.startJava('3.9.1');
    await group.startJava('4.3.1');
    await group.startLoads();
    for (const [i, member] of group.members.entries()) {
      const { name, config } = group.loads[i] as Load;
      await group.change('PUT', `/connectors/${name}/config`, { ...config, 'batch.size': '500' }, member);
      await group.change('PUT', `/connectors/${name}/pause`, undefined, member);
      await group.change('PUT', `/connectors/${name}/resume`, undefined, member);
      await group.change('POST', `/connectors/${name}/tasks/0/restart`, undefined, member);
      await group.change('PUT', `/admin/loggers/set.at.${i}?scope=cluster`, { level: 'DEBUG' }, member);
    }
    await group.untilBalanced();
    for (const [i] of group.members.entries()) await untilLevelEverywhere(group, `set.at.${i}`);
    await group.kill(ours(group));
    await group.startOurs();
    await group.untilBalanced();
    await group.kill(javas(group));
    await group.startJava('4.3.1');
    await group.untilBalanced();
    await group.freeze(ours(group));
    expect(await group.finish()).toEqual([]);
    expect(group.watch.bad.filter(({ request }) => group.wasOurs(request))).toEqual([]);
    for (const [i, member] of group.members.entries()) {
      await group.change('DELETE', `/connectors/${(group.loads[i] as Load).name}`, undefined, member);
    }
  }, 300_000);

  it('moves from Java to ours and back, one worker at a time, and stores each line once', async () => {
    const group = newTrial({ broker: broker(), id: 'rolling', loads: { file: 6 } });
    const start = { ours: () => group.startOurs(), java: () => group.startJava() };
    await start.java();
    await start.java();
    await group.startLoads();
    for (const kind of ['ours', 'java'] as const) {
      for (const leaving of group.members.slice()) {
        await start[kind]();
        await group.untilBalanced();
        await group.stop(leaving);
        await group.untilBalanced();
        await group.untilMore();
      }
    }
    expect(await group.finish()).toEqual([]);
  }, 300_000);
});

/** Waits until every worker has the level that was set at one of them. */
async function untilLevelEverywhere(group: GroupTrial, logger: string): Promise<void> {
  for (const { url } of group.members) {
    await waitFor(
      async () => (await (await fetch(`${url}/admin/loggers/${logger}`)).text()).includes('"DEBUG"'),
      { timeoutMs: 30_000, what: () => `${url} has no level for ${logger}` },
    );
  }
}

function ours(group: GroupTrial): Member {
  return group.members.find(({ kind }) => kind === 'ours') as Member;
}

function javas(group: GroupTrial): Member {
  return group.members.find(({ kind }) => kind === 'java') as Member;
}
