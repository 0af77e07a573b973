// Receiving alone, by our transport and by grpc-js with a large window, in interleaved runs: the decision of
// docs/decisions/0006-own-grpc-framing.md. `npm run bench -- grpc-transport [seconds of a run] [runs]`.
import { sizes } from './event.ts';
import { interleaved, pinned } from './processes.ts';
import { figures, printTable } from './table.ts';
import type { Usage } from './usage.ts';

/** Ours is taken when it wins by this much. */
const GOAL = 1.3;
const seconds = Number(process.argv[2] ?? 2);
const runs = Number(process.argv[3] ?? 5);

async function row(bytes: number, frames: 'single' | 'packed'): Promise<readonly string[]> {
  const trial = { bytes, frames, warmUp: 1, seconds };
  const [own, grpcJs] = (await interleaved(runs, [
    { ...trial, receiver: ['own', 'receive'] },
    { ...trial, receiver: ['grpc-js', 'receive'] },
  ])) as [Usage, Usage];
  const ratio = own.perSecond / grpcJs.perSecond;
  const cpuRatio = grpcJs.cpuMicros / own.cpuMicros;
  const won = Math.max(ratio, cpuRatio) >= GOAL ? 'met' : 'not met';
  return [`${bytes} B`, figures(own), figures(grpcJs), ratio.toFixed(2), cpuRatio.toFixed(2), won];
}

console.log(pinned ? 'receiver on core 0, generator on core 1' : 'processes are not pinned to cores');
console.log(`messages per second [CPU µs per message], medians of ${runs} interleaved runs of ${seconds} s`);
console.log('the ratio of CPU says more where the generator is the limit\n');
const head = ['message', 'own transport', 'grpc-js', 'ratio', 'ratio of CPU', `goal ${GOAL}`];
for (const frames of ['single', 'packed'] as const) {
  const rows: (readonly string[])[] = [];
  for (const bytes of sizes) rows.push(await row(bytes, frames));
  const shape = frames === 'single' ? 'a DATA frame for each message' : 'DATA frames of 16 KB';
  printTable(`Receiving alone, ${shape}`, head, rows);
}
