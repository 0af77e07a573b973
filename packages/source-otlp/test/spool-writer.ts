// A process to be killed: writers append to a spool forever, and each append is printed once it is acknowledged, as the writer's
// number, the number of its first entry and how many entries. Arguments: folder, writers, seed.
import { systemClock } from '@levada/connect-runtime-core';
import { openSpool } from '../src/spool/open-spool.ts';
import { appendedTogether, numberedEntry } from './spool-entries.ts';

const [folder = '', writers = '16', seed = '0'] = process.argv.slice(2);
const spool = await openSpool({ folder, maxBytes: 100_000_000, segmentBytes: 100_000, clock: systemClock });
process.stdout.write('open\n');

const write = async (writer: number): Promise<never> => {
  for (let next = 0; ; ) {
    const count = appendedTogether({ writer, number: next });
    const numbers = Array.from({ length: count }, (_, i) => next + i);
    const places = await spool.append(
      numbers.map((number) => numberedEntry({ run: Number(seed), writer, number })),
    );
    if (places?.length !== count) throw new Error('not kept');
    process.stdout.write(`${writer} ${next} ${count}\n`);
    next += count;
  }
};
await Promise.all(Array.from({ length: Number(writers) }, (_, i) => write(i)));
