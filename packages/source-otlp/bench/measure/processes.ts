import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';

/** Whether what is measured has a core of its own, and everything else the others. */
export const pinned: boolean = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** A script in a process of its own. */
export interface Script {
  readonly core: 0 | 1;
  /** The script, as `new URL('receiver.ts', import.meta.url)` says it. */
  readonly file: URL;
  readonly args: readonly string[];
}

/** A started script. */
export interface ScriptProcess {
  /** The next line that it prints. Rejects when it ends before. */
  readonly line: () => Promise<string>;
  /** Writes a line to its standard input. */
  readonly send: (line: string) => void;
  /** Resolves when it has ended, by itself or within three seconds by force. */
  readonly stop: () => Promise<void>;
}

/** How long a process may take to exit after its standard input ends. */
const END_MS = 3000;

/** Starts a script on its core. */
export function startScript({ core, file, args }: Script): ScriptProcess {
  const command = [process.execPath, file.pathname, ...args];
  const [program = '', ...rest] = pinned ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return {
    line: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${file.pathname} ${args.join(' ')} ended early`);
      return value;
    },
    send: (text) => {
      child.stdin.write(`${text}\n`);
    },
    stop: () => stopped(child),
  };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.destroy();
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await exited;
  clearTimeout(timer);
}
