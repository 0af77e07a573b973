// The connectors beside other programs that do the same, on a core of their own, into a real broker: `npm run bench -- compare --help`.
import { compare } from '../src/compare.ts';
import { compareOptions, compareUsage } from '../src/options.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(compareUsage);
} else {
  // Programs that were started end with this process, if it ends in order: each listens to its end.
  process.setMaxListeners(50);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await compare(
    compareOptions(args),
    (text) => console.log(text),
    (text) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`),
  );
  // What a failed system may have left open is not waited for.
  process.exit();
}
