// Compares random messages of random schemas under all options with @bufbuild/protobuf: byte for byte, floats by value. `npm run
// bench -- wire-json-equality [cases, default 3000000] [first seed]`. Prints each difference when it is found.
import { runBroken } from '../test/broken-run.ts';
import { runEquality } from '../test/equality-run.ts';
import { randomSchema } from '../test/random-schema.ts';

const cases = Number(process.argv[2] ?? 3_000_000);
const firstSeed = Number(process.argv[3] ?? 1);
const MESSAGES = 100;
const OPTION_SETS = 6;
/** Number of mutated messages of each schema. */
const BROKEN = 50;
const SHOWN = 20;

const start = performance.now();
let done = 0;
let differences = 0;
let seed = firstSeed;
const report = (text: string): void => {
  differences += 1;
  if (differences <= SHOWN) console.log(`${text}\n`);
};
for (let nextReport = 500_000; done < cases; seed += 1) {
  done += runEquality(randomSchema(seed), { messages: MESSAGES, optionSets: OPTION_SETS }, report) + BROKEN;
  runBroken(seed, BROKEN, report);
  if (done >= nextReport) {
    console.log(`${done} cases, ${differences} differences, next seed ${seed + 1}`);
    nextReport += 500_000;
  }
}
const seconds = (performance.now() - start) / 1000;
console.log(
  `${done} cases over ${seed - firstSeed} schemas (seeds from ${firstSeed}) in ${seconds.toFixed(0)} s: ${differences} differences`,
);
if (differences > 0) process.exitCode = 1;
