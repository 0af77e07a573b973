// Corrupted and hostile messages: each must produce JSON or a ConversionError, quickly and without leaking memory.
// Then worst-case messages of 4 MiB, the default maximum of a gRPC client.
// `npm run bench -- wire-json-fuzz [inputs, default 1000000] [seed]`.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { wireToJson } from '../src/index.ts';
import { isConversionError } from '../test/equality.ts';
import { type Flood, floods } from '../test/floods.ts';
import { fuzz, fuzzTargets, type Slowest } from '../test/fuzz-run.ts';

const inputs = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 1);
/** The project's limits for every decoder. */
const MAX_MS = 250;
const MAX_GROWTH_MB = 8;

const RANDOM_SCHEMAS = 100;
const ROUNDS = 20;
/** First round for memory comparison: by then the engine has compiled its code. */
const SETTLED_ROUND = 4;
const MB = 1_048_576;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory in use. Resident memory also depends on when the engine grows its heap. */
function keptMb(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
}

const targets = fuzzTargets(seed, RANDOM_SCHEMAS);
const each = Math.ceil(inputs / ROUNDS / targets.length);
const problems: string[] = [];
const sums = { converted: 0, refused: 0 };
let slowest: Slowest = { ms: 0, wire: new Uint8Array() };
let before = 0;
const start = performance.now();
for (let round = 0; round < ROUNDS; round += 1) {
  if (round === SETTLED_ROUND) before = keptMb();
  for (const [index, target] of targets.entries()) {
    const result = fuzz(target, each, seed * 1_000_003 + round * 1009 + index);
    sums.converted += result.converted;
    sums.refused += result.refused;
    problems.push(...result.problems);
    if (result.slowest.ms > slowest.ms) slowest = result.slowest;
  }
}
const growthMb = keptMb() - before;
const seconds = (performance.now() - start) / 1000;
const count = sums.converted + sums.refused + problems.length;
const wire = Buffer.from(slowest.wire.subarray(0, 60)).toString('hex');
console.log(
  [
    `${count} mutated inputs over ${targets.length} schemas, seed ${seed}, in ${seconds.toFixed(0)} s (Node ${process.version})`,
    `converted ${sums.converted}, refused ${sums.refused}, crashes and other outcomes ${problems.length}`,
    `slowest input ${slowest.ms.toFixed(2)} ms (${slowest.wire.length} bytes: ${wire}...), at most ${MAX_MS} allowed`,
    `memory in use grew by ${growthMb.toFixed(1)} MB over the last ${ROUNDS - SETTLED_ROUND} of ${ROUNDS} rounds, at most ${MAX_GROWTH_MB} allowed`,
    ...problems.slice(0, 10),
  ].join('\n'),
);

const FLOOD_BYTES = 4 * MB;
/** A flood of four times the size may cost at most this factor more: about four times expected, never a square. */
const MAX_RATIO = 10;

/** CPU milliseconds of a converter's first conversion, and the minimum of three later ones. */
function cost({ desc, registry, wire }: Flood): readonly [number, number] {
  const converter = wireToJson(desc, { registry });
  const times = Array.from({ length: 4 }, () => {
    const cpu = process.cpuUsage();
    try {
      converter.convert(wire);
    } catch (error) {
      if (!isConversionError(error)) throw error;
    }
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1000;
  });
  return [times[0] ?? 0, Math.min(...times.slice(1))];
}

const quarter = floods(FLOOD_BYTES / 4);
console.log(`\nCPU ms of messages of ${FLOOD_BYTES / MB} MiB: first conversion, later ones, ratio to 1 MiB`);
let square = false;
for (const [index, flood] of floods(FLOOD_BYTES).entries()) {
  const [, small] = cost(quarter[index] ?? flood);
  const [first, later] = cost(flood);
  const ratio = later / Math.max(small, 1);
  square ||= ratio > MAX_RATIO;
  console.log(`| ${flood.name} | ${first.toFixed(0)} | ${later.toFixed(0)} | ${ratio.toFixed(1)} |`);
}
if (square || problems.length > 0 || slowest.ms > MAX_MS || growthMb > MAX_GROWTH_MB) process.exitCode = 1;
