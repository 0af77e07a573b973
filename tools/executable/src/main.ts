import process from 'node:process';
import { getAsset } from 'node:sea';
import { type AddedCommand, run } from '@levada/cli';

const demo: AddedCommand = {
  name: 'demo',
  description: 'run a worker, a price feed and a connector between them in this folder, to look around',
  run: async () => {
    const { runDemo } = await import('@levada/example-live-demo');
    // As it was called, so that what the demo prints can be typed.
    const levada = process.argv[1] ?? 'levada';
    // As for a worker: sockets of clients must not keep the process alive.
    process.exit(await runDemo({ levada, demo: `${levada} demo` }));
  },
};

const feed: AddedCommand = {
  name: 'feed',
  description: 'run the price feed of the demo alone, for a worker elsewhere',
  run: async () => {
    const { runFeed } = await import('@levada/example-live-demo');
    await runFeed();
  },
};

const licences: AddedCommand = {
  name: 'licences',
  description: 'print the licences of Levada, of Node and of everything else in this file',
  run: async () => {
    process.stdout.write(getAsset('licences.txt', 'utf8'));
  },
};

/** The single executable: all commands of `levada`, the demo and the licences. CommonJS, which it becomes, has no `await` here. */
void run(process.argv.slice(2), [demo, feed, licences]).then((code) => {
  process.exitCode = code;
});
