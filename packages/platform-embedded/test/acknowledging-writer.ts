// A process to be killed: writes numbered records endlessly, and prints the number of each acknowledged batch. Arguments: folder,
// first number.
import { openEmbeddedPlatform } from '../src/open-embedded-platform.ts';
import { bytes, record } from './records.ts';

const [folder = '', first = '0'] = process.argv.slice(2);
const platform = await openEmbeddedPlatform({ folder, retentionBytes: -1 });
const producer = await platform.producer({ clientId: 'writer' });
const map = await platform.compactedLog({
  topic: { name: 'map', partitions: 1 },
  configKey: 'status.storage.topic',
  clientId: 'writer',
  onRecord: () => undefined,
});
process.stdout.write('open\n');

let next = Number(first);
const writeOn = async (): Promise<never> => {
  for (;;) {
    const size = 1 + (next % 37);
    const numbers = Array.from({ length: size }, (_, i) => next + i);
    next += size;
    const result = await producer.send(numbers.map((n) => record('numbers', `${n} ${'x'.repeat(n % 500)}`)));
    if (result.stored !== size) throw new Error('not stored');
    process.stdout.write(`records ${numbers.at(-1)}\n`);
    const value = String(numbers[0]);
    await map.put(bytes(`key-${size % 5}`), bytes(value));
    process.stdout.write(`key ${size % 5} ${value}\n`);
  }
};
await Promise.all(Array.from({ length: 4 }, writeOn));
