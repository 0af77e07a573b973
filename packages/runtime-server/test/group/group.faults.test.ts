import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, expect, it } from 'vitest';
import { quickBroker, stage } from '../end-to-end/stage.ts';
import { GroupTrial, type GroupTrialOptions, type Member } from './group-trial.ts';

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
