import process from 'node:process';
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

/** The single executable: all commands of `levada`, and the demo. CommonJS, which it becomes, has no `await` here. */
void run(process.argv.slice(2), [demo]).then((code) => {
  process.exitCode = code;
});
