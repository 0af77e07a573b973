import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { medians, type Usage } from './usage.ts';

/** The receiver has one core, everything else the others. */
export const pinned: boolean = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** One measurement: a generator and a receiver. */
export interface Trial {
  readonly bytes: number;
  /** 0: as fast as it is taken. */
  readonly perSecond?: number;
  /** Default: a frame for each message. */
  readonly frames?: 'single' | 'packed';
  /** Arguments of receiver.ts. */
  readonly receiver: readonly string[];
  readonly warmUp: number;
  readonly seconds: number;
}

/** The medians of several rounds; in each, every trial has its turn. */
export async function interleaved(rounds: number, trials: readonly Trial[]): Promise<readonly Usage[]> {
  const results: Usage[][] = trials.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, trial] of trials.entries()) results[at]?.push(await run(trial));
  }
  return results.map(medians);
}

/** Runs both in fresh processes. */
async function run({ bytes, perSecond = 0, frames = 'single', receiver, ...times }: Trial): Promise<Usage> {
  const generator = start('1', 'generator.ts', [String(bytes), String(perSecond), frames]);
  let child: ChildProcess | undefined;
  try {
    const port = await line(generator, 'generator');
    child = start('0', 'receiver.ts', [port, String(times.warmUp), String(times.seconds), ...receiver]);
    return JSON.parse(await line(child, receiver.join(' '))) as Usage;
  } finally {
    generator.kill();
    child?.kill();
  }
}

function start(core: string, script: string, args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const command = [process.execPath, file, ...args];
  const [program, ...rest] = pinned ? ['taskset', '-c', core, ...command] : command;
  return spawn(program as string, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function line(child: ChildProcess, name: string): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process of "${name}" ended early`);
  });
  const [text] = await Promise.race([once(lines, 'line'), ended]);
  ended.catch(() => undefined);
  return String(text);
}
