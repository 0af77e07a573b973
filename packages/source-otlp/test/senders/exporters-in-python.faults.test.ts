import { fileURLToPath } from 'node:url';
import { describeProgram, pythonBuild } from '@levada/test-peers/programs';
import { describeDeliveringSender } from './delivering-sender.ts';
import { describeSecuredSender } from './secured-sender.ts';
import { type Sender, senderOf } from './sender.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const program = pythonBuild({
  script: path('python/send.py'),
  packages: path('python/packages'),
  what: 'OTLP exporters',
});

/** The official Python exporters. */
async function pythonSender(): Promise<Sender> {
  const [command, ...args] = await program.command();
  return senderOf(command, args, ['traces', 'metrics', 'logs']);
}

// Not every Python that is there has wheels of all packages.
const python = { unavailable: program.unavailable, make: pythonSender, optional: true };

describeProgram('exporters in Python', python, (sender) => {
  describeDeliveringSender(sender);
  describeSecuredSender(sender);
});
