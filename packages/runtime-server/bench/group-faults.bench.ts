// Three workers with connectors of all kinds under load on a real broker: kills of any worker, freezes of an owner, restarts of
// the broker; then a group of ours and of Java workers with kills of any and freezes of ours. Checks the records of every
// connector in the order of the log, and every answer of the survivors; prints how long work was away. Takes 20 minutes.
// Run: npm run bench -- group-faults [connectors=60] [kills=20] [freezes=20] [restarts=5] [ours] [mixed]
import { startBroker } from '@levada/kafka-testkit';
import { quickBroker } from '../test/end-to-end/quick-broker.ts';
import { GroupTrial, type Member } from '../test/group/group-trial.ts';

const words = process.argv.slice(2);
const number = (name: string, fallback: number): number =>
  Number(words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? fallback);
const wants = (part: string): boolean =>
  !(words.includes('ours') || words.includes('mixed')) || words.includes(part);
const connectors = number('connectors', 60);
const kills = number('kills', 20);
const freezes = number('freezes', 20);
const restarts = number('restarts', 5);
/** Session, delay for departed workers, and three seconds to start. */
const GOAL_MS = 3_000 + 1_000 + 3_000;

function report(name: string, group: GroupTrial, problems: readonly string[]): void {
  const times = group.takeoversMs.toSorted((a, b) => a - b);
  const text = (ms: number | undefined): string => `${((ms ?? Number.NaN) / 1000).toFixed(1)} s`;
  const { answers } = group.watch;
  const bad = group.watch.bad.filter(({ request }) => group.wasOurs(request));
  console.log(`${name}: ${group.loads.length} connectors, ${group.sent()} messages sent`);
  console.log(
    `  work was away for ${text(times[times.length >> 1])} (median of ${times.length}), ${text(times.at(-1))} at most; ${(times.at(-1) ?? 0) <= GOAL_MS ? 'met' : 'NOT MET'}: goal ${text(GOAL_MS)}`,
  );
  console.log(`  ${answers} answers, ${bad.length} of them faults of a server`);
  console.log(`  ${problems.length} problems in the records`);
  for (const problem of problems.slice(0, 20)) console.log(`    ${problem}`);
  for (const answer of bad.slice(0, 20)) console.log(`    ${JSON.stringify(answer)}`);
  if (problems.length + bad.length > 0) process.exitCode = 1;
}

function pick(group: GroupTrial, turn: number, kind?: Member['kind']): Member {
  const members = group.members.filter((member) => kind === undefined || member.kind === kind);
  return members[turn % members.length] as Member;
}

async function threeOfOurs(): Promise<void> {
  await using broker = await startBroker(quickBroker);
  const quarter = Math.ceil(connectors / 6);
  const loads = { webSocket: 2 * quarter, grpc: 2 * quarter, otlp: quarter, file: quarter };
  const group = new GroupTrial({ broker, id: 'faults', loads });
  try {
    for (let i = 0; i < 3; i += 1) await group.startOurs();
    await group.startLoads();
    for (let i = 0; i < kills; i += 1) {
      await group.kill(pick(group, i));
      await group.startOurs();
      await group.untilBalanced();
    }
    for (let i = 0; i < freezes; i += 1) await group.freeze(pick(group, i));
    for (let i = 0; i < restarts; i += 1) await group.restartBroker();
    report('three workers', group, await group.finish());
  } finally {
    await group.close();
  }
}

async function withJava(): Promise<void> {
  await using broker = await startBroker(quickBroker);
  const group = new GroupTrial({ broker, id: 'mixed', loads: { file: Math.ceil(connectors / 3) } });
  try {
    for (let i = 0; i < 2; i += 1) await group.startOurs();
    const versions = ['3.9.1', '4.3.1'] as const;
    for (const version of versions) await group.startJava(version);
    await group.startLoads();
    for (let i = 0; i < kills; i += 1) {
      const kind = i % 2 === 0 ? 'ours' : 'java';
      const member = pick(group, 0, kind);
      await group.kill(member);
      if (kind === 'ours') await group.startOurs();
      else await group.startJava(member.version);
      await group.untilBalanced();
    }
    for (let i = 0; i < freezes; i += 1) await group.freeze(pick(group, i, 'ours'));
    report('two of ours, Java 3.9.1 and 4.3.1', group, await group.finish());
  } finally {
    await group.close();
  }
}

if (wants('ours')) await threeOfOurs();
if (wants('mixed')) await withJava();
