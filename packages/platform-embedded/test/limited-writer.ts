// A process with a file size limit: writes numbered records, reports when that stops, has the limit lifted, continues, and prints
// the content of the log. Argument: folder.
import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { openEmbeddedPlatform } from '../src/open-embedded-platform.ts';
import { collect, record, text } from './records.ts';

// a write over the limit is an error only if the signal is handled; otherwise it kills the process
process.on('SIGXFSZ', () => undefined);
const limit = (value: string): void => {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${value}`]);
};

const platform = await openEmbeddedPlatform({ folder: process.argv[2] ?? '' });
const producer = await platform.producer({ clientId: 'writer' });
limit('3000000:unlimited');

let next = 0;
let acknowledged = 0;
const batch = () => Array.from({ length: 50 }, () => record('numbers', `${next++} ${'x'.repeat(1000)}`));
const sends: Promise<void>[] = [];
for (let i = 0; i < 100; i += 1) {
  sends.push(
    producer.send(batch()).then((result) => {
      acknowledged += result.stored;
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
}
await waitFor(() => platform.health().status === 'away', { timeoutMs: 20_000 });
const before = acknowledged;
const readable = (await collect(platform.reader().read({ topic: 'numbers' }))).length;
limit('unlimited');
await Promise.all(sends);

const stored = await collect(platform.reader().read({ topic: 'numbers' }));
const inOrder = stored.every((one, i) => Number.parseInt(text(one.value) ?? '', 10) === i);
const { status } = platform.health();
await platform.close();
writeSync(1, JSON.stringify({ before, readable, acknowledged, stored: stored.length, inOrder, status }));
