import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildFolder, builtFolder } from '../../../source-grpc/test/peers/build-folder.ts';
import type { SignalName } from '../../src/model/signals.ts';
import { runProgram } from './run-program.ts';
import { type Sender, senderOf } from './sender.ts';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('go', import.meta.url));
const BUILD_LIMIT_MS = 400_000;
/** As go.mod has it. */
const OLDEST_GO = 26;
/** The executable is not measured: a build without optimisation takes two thirds of the time. */
const FLAGS = ['-trimpath', '-mod=readonly', '-buildvcs=false', '-gcflags=all=-N -l', '-ldflags=-s -w'];

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
export function goUnavailable(): string | undefined {
  if (existsSync(builtFolder(sources))) return undefined;
  const go = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', cwd: sources });
  const needed = `no OTLP exporters in Go: Go 1.${OLDEST_GO} or newer is needed`;
  if (go.error !== undefined) return `${needed}, none was found`;
  return Number(/^go1\.(\d+)/.exec(go.stdout)?.[1]) >= OLDEST_GO
    ? undefined
    : `${needed}, found "${go.stdout.trim()}"`;
}

/** The program. The first time on a machine it is built, with its modules from Go's module proxy. */
export async function goProgram(): Promise<GoProgram> {
  const folder = await buildFolder(sources, async (output) => {
    await run('go', ['build', ...FLAGS, '-o', join(output, 'sender'), '.'], {
      cwd: sources,
      timeout: BUILD_LIMIT_MS,
      env: { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
    });
  });
  const command = join(folder, 'sender');
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
