import { fileURLToPath } from 'node:url';
import { javaBuild } from '@levada/test-peers/programs';
import { type Sender, senderOf } from './sender.ts';

const program = javaBuild({
  folder: fileURLToPath(new URL('java', import.meta.url)),
  mainClass: 'Send',
  what: 'OTLP exporters',
});

/** Why the exporters cannot be had here, as one line; undefined when they can. */
export const javaUnavailable: () => string | undefined = program.unavailable;

/** The official Java exporters. The first time on a machine they are built, with jars fetched by Maven. */
export async function javaProgram(): Promise<Sender> {
  const [command, ...args] = await program.command();
  return senderOf(command, args, ['traces']);
}
