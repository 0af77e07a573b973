import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Whether what is measured has a core of its own, and everything else the others. */
export const pinned: boolean = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** `measured`: the core of what is measured. `others`: the rest of the machine, for generators, brokers and consumers. */
export type Core = 'measured' | 'others';

const last = availableParallelism() - 1;
const lists: Readonly<Record<Core, string>> = { measured: '0', others: last === 1 ? '1' : `1-${last}` };

/** The command that starts another one on its core; empty where that is not possible. */
export function launcherOn(core: Core): readonly string[] {
  return pinned ? ['taskset', '-c', lists[core]] : [];
}

/** Moves this process off the core of what is measured. What it starts without a launcher stays off it, too. */
export function leaveMeasuredCore(): void {
  if (pinned) spawnSync('taskset', ['-a', '-c', '-p', lists.others, String(process.pid)]);
}

/** One line on where everything runs. */
export const placement: string = pinned
  ? `what is measured on core ${lists.measured} alone, generators, broker and consumer on core ${lists.others}`
  : 'processes are not pinned to cores: taskset or a second core is missing';
