import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { basename } from 'node:path';

/** Percent of what was not idle, and a function. */
export type SelfTime = readonly [share: number, name: string];

/** Where this process spends its time while something is done: functions by the time that they took themselves. */
export async function selfTimes<T>(
  work: () => Promise<T>,
): Promise<{ result: T; times: readonly SelfTime[] }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return { result, times: timesOf(profile) };
}

function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): readonly SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, at) => {
    const name = names.get(id) ?? '';
    if (name !== '(idle)') times.set(name, (times.get(name) ?? 0) + (timeDeltas[at] ?? 0));
  });
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([name, time]) => [(time * 100) / all, name] as const).toSorted(([a], [b]) => b - a);
}

function nameOf({ functionName, url, lineNumber }: Profiler.ProfileNode['callFrame']): string {
  const place = url === '' ? '' : ` ${basename(url)}:${lineNumber + 1}`;
  return `${functionName === '' ? '(anonymous)' : functionName}${place}`;
}
