import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a command ended on one folder. */
export interface CommandRun {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** From the start of the process to its end. */
  readonly ms: number;
  /** Processor time, of all processors together; on a busy machine the command also waits. */
  readonly cpuMs: number | undefined;
  /** The most memory that it held; undefined where the system does not say. */
  readonly peakMiB: number | undefined;
  readonly output: string;
}

const cli = fileURLToPath(new URL('../../cli/bin/levada.js', import.meta.url));
const reportUse = new URL('report-use.mjs', import.meta.url).href;
/** Those in the first line of the command. */
const flags = [
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  '--max-semi-space-size=8',
];
/** More than the limit of a test, which is tried again when that passes. */
const LONGEST_MS = 120_000;

/** Beside the folder of the project. */
interface CommandFacts {
  readonly environment?: Readonly<Record<string, string>>;
  /** Of `levada project`. Default: `validate`. */
  readonly command?: readonly [name: string, ...options: string[]];
}

/** Runs the real command in a process of its own, without the environment of this one. */
export function measureCommand(
  folder: string,
  { environment = {}, command: [name, ...options] = ['validate'] }: CommandFacts = {},
): Promise<CommandRun> {
  const start = performance.now();
  const peak = process.platform === 'linux' ? ['--import', reportUse] : [];
  const child = spawn(process.execPath, [...flags, ...peak, cli, 'project', name, folder, ...options], {
    env: { ...environment, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  const texts = { output: '', use: '' };
  const keep = (key: keyof typeof texts) => (chunk: Buffer) => {
    texts[key] += chunk.toString();
  };
  child.stdout?.on('data', keep('output'));
  child.stderr?.on('data', keep('output'));
  child.stdio[3]?.on('data', keep('use'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      const ms = Math.round(performance.now() - start);
      const [peak, cpu] = texts.use.split(' ').map(Number);
      const peakMiB = peak === undefined || texts.use === '' ? undefined : Math.round(peak / 1024);
      resolve({ exitCode, signal, ms, cpuMs: cpu, peakMiB, output: texts.output });
    });
  });
}
