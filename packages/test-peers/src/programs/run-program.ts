import { spawn } from 'node:child_process';

/** How a program of this folder is run. */
export interface ProgramRun {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

const RUN_LIMIT_MS = 120_000;

/** What it printed. Rejects with what it said of its failure when it does not end with 0, or not in time. */
export function runProgram({ command, args, env = {}, input = '' }: ProgramRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
      timeout: RUN_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString());
      else reject(new Error(`"${command}" ended with ${code}: ${Buffer.concat(errors).toString()}`));
    });
    // A program that ends before it was written to says at its other end whether that is right.
    child.stdin.on('error', () => undefined).end(input);
  });
}
