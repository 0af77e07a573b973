// A process whose files may not grow beyond a limit: appends numbered entries until that fails, has the limit lifted, continues,
// and prints what the spool holds then. Argument: folder.
import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { systemClock } from '@levada/connect-runtime-core';
import { openSpool } from '../src/spool/open-spool.ts';
import { entryOf, takeAll, textOf } from './spool-folder.ts';

// a write over the limit is an error only with a listener for the signal; else it ends the process
process.on('SIGXFSZ', () => undefined);
const limit = (value: string): void => {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${value}`]);
};

const spool = await openSpool({ folder: process.argv[2] ?? '', maxBytes: 50_000_000, clock: systemClock });
limit('500000:unlimited');
let next = 0;
let refused = 0;
let code: unknown;
while (refused < 3) {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 16 }, (_, i) => spool.append([entryOf(String(next + i), 2000)])),
  );
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  if (failed.length === 0) next += outcomes.length;
  else {
    if (failed.length < outcomes.length) throw new Error('a group was kept in part');
    refused += 1;
    code = failed[0]?.reason.code;
  }
}
const before = next;
limit('unlimited');
for (; next < before + 100; next += 1) await spool.append([entryOf(String(next), 2000)]);
const texts = (await takeAll(spool)).map(textOf);
const inOrder = texts.every((text, i) => text === String(i));
await spool.close();
writeSync(1, JSON.stringify({ before, refused, code, handedOut: texts.length, inOrder }));
