// Whether a connector got slower beside a raw receiver of the same run: `npm run bench -- regression --help`. Ends with 1 if so.
import { regression, regressionUsage } from '../src/regression.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(regressionUsage);
} else {
  // Programs that were started end with this process, if it ends in order: each listens to its end.
  process.setMaxListeners(50);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const fine = await regression(
    args,
    (text) => console.log(text),
    (text) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`),
  );
  process.exit(fine ? 0 : 1);
}
