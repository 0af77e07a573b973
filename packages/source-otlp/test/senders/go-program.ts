import { fileURLToPath } from 'node:url';
import { goBuild, runProgram } from '@levada/test-peers/programs';
import type { SignalName } from '../../src/model/signals.ts';
import { type Sender, senderOf } from './sender.ts';

const program = goBuild({
  folder: fileURLToPath(new URL('go', import.meta.url)),
  oldest: 26,
  what: 'OTLP exporters',
});

/** The official Go exporters, and what the Collector reads OTLP/JSON with. */
export interface GoProgram extends Sender {
  /** OTLP/JSON as the Collector reads it, as protobuf. Rejects when it does not. */
  readonly decode: (values: readonly EncodedValue[]) => Promise<readonly Uint8Array[]>;
}

/** An export in OTLP/JSON. */
export interface EncodedValue {
  readonly signal: SignalName;
  readonly value: string;
}

/** Why the program cannot be made here, as one line; undefined when it can. */
export const goUnavailable: () => string | undefined = program.unavailable;

/** The program. The first time on a machine it is built, with its modules from Go's module proxy. */
export async function goProgram(): Promise<GoProgram> {
  const [command] = await program.command();
  return {
    ...senderOf(command, ['send'], ['traces', 'metrics', 'logs']),
    decode: async (values) => {
      const input = values.map((value) => `${JSON.stringify(value)}\n`).join('');
      const lines = await runProgram({ command, args: ['decode'], input });
      return lines.trimEnd().split('\n').map(fromBase64);
    },
  };
}

const fromBase64 = (text: string): Uint8Array => Buffer.from(text, 'base64');
