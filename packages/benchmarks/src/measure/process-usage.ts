// What a process uses, as the kernel counts it: the same for programs in every language.
import { readFile } from 'node:fs/promises';

/** USER_HZ: on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/<pid>/stat after the name of the program: time in user mode, and in the kernel. */
const [USER, SYSTEM] = [11, 12];

/** CPU time of all threads of a process so far, in microseconds, in steps of 10 ms. */
export async function cpuMicros(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS_PER_SECOND) * 1e6;
}

/** Resident memory of a process, and the most that it had, in MiB. */
export async function memoryMb(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const row = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: row('VmRSS'), peak: row('VmHWM') };
}
