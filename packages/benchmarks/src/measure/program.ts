import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Core, launcherOn } from './cores.ts';

/** A program in a process of its own. */
export interface ProgramStart {
  /** What it is, for errors. */
  readonly name: string;
  readonly core: Core;
  readonly command: readonly string[];
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A started program. */
export interface Program {
  readonly pid: number;
  /** The last that it printed to its standard error. */
  readonly output: () => string;
  /** The next line that it prints. Rejects when it ends before. */
  readonly line: () => Promise<string>;
  /** Writes a line to its standard input. */
  readonly send: (line: string) => void;
  /** Writes a line, and resolves with the next one that it prints. */
  readonly ask: (line: string) => Promise<string>;
  /** Ends its standard input, and sends the signal, if one is given; kills it when it has not ended after five seconds. Idempotent. */
  readonly stop: (signal?: 'SIGTERM') => Promise<void>;
}

const END_MS = 5000;
const KEPT_ERRORS = 8000;

/** Starts a program on its core. It ends with this process at the latest. */
export function startProgram({ name, core, command, env = {} }: ProgramStart): Program {
  const [file = '', ...args] = [...launcherOn(core), ...command];
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
  });
  let errors = '';
  // One that could not be started has ended, too; the wait for its first line says why.
  const ended = once(child, 'exit').catch((failed: Error) => {
    errors += failed.message;
  });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  child.stderr.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-KEPT_ERRORS);
  });
  // A program that has ended says so by its missing answer.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await lines.next();
    if (next.done === true) throw new Error(`${name} ended early: ${errors}`);
    return next.value;
  };
  const send = (text: string): void => {
    child.stdin.write(`${text}\n`);
  };
  return {
    pid: child.pid ?? 0,
    output: () => errors,
    line,
    send,
    ask: (text) => {
      send(text);
      return line();
    },
    stop: async (signal) => {
      await end(child, ended, signal);
    },
  };
}

async function end(
  child: ChildProcess,
  ended: Promise<unknown>,
  signal: 'SIGTERM' | undefined,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin?.destroy();
  if (signal !== undefined) child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(timer);
}
