import { median } from './median.ts';

/** Does something once; what it returns is looked at, so that no work can be left out. */
export type Subject = () => number;

/** How long is measured. */
export interface CpuRounds {
  readonly rounds: number;
  readonly roundMs: number;
}

/** Enough for the engine to have compiled what it is going to compile. */
const WARM_UP_MS = 700;

/** CPU microseconds of this process per call of each: medians of rounds in which each has its turn. */
export function cpuMicros(subjects: readonly Subject[], { rounds, roundMs }: CpuRounds): readonly number[] {
  const calls = subjects.map((subject) => callsOf(subject, roundMs));
  const costs: number[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < subjects.length; turn += 1) {
      const at = (round + turn) % subjects.length; // rotates which one runs first
      costs[at]?.push(measured(subjects[at] as Subject, calls[at] as number));
    }
  }
  return costs.map(median);
}

/** How many calls make a round. Warms up, too. */
function callsOf(subject: Subject, roundMs: number): number {
  let calls = 0;
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end; calls += 1) measured(subject, 1);
  return Math.max(1, Math.round((calls * roundMs) / WARM_UP_MS));
}

function measured(subject: Subject, calls: number): number {
  const before = process.cpuUsage();
  let sum = 0;
  for (let call = 0; call < calls; call += 1) sum += subject();
  const { user, system } = process.cpuUsage(before);
  if (sum <= 0) throw new Error('nothing was done');
  return (user + system) / calls;
}
