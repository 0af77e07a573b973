import { setTimeout as sleep } from 'node:timers/promises';
import { type ScriptProcess, startScript } from '../measure/processes.ts';
import type { BenchOptions } from './bench-options.ts';
import type { ReceiverSettings } from './receiver-settings.ts';
import type { RequestName } from './requests.ts';
import { medians, type Usage } from './usage.ts';

/** What is measured: a receiver and what it is sent. */
export interface Trial extends ReceiverSettings {
  readonly request: RequestName;
  readonly connections: number;
  /** Requests at once on each connection. */
  readonly atOnce: number;
  /** Requests per second; 0: the next one when the last is answered. */
  readonly rate: number;
  /** Of the body; default: protobuf. */
  readonly form?: 'json';
}

/** A receiver and its sender, in processes of their own. */
interface Pair {
  readonly receiver: ScriptProcess;
  readonly sender: ScriptProcess;
}

export type Times = Pick<BenchOptions, 'seconds' | 'warmUp' | 'rounds'>;

/** What each trial measured, round by round: `results[trial][round]`. */
export type Rounds = readonly (readonly Usage[])[];

/** How long a sender runs before its requests count. */
const ROLLING_MS = 50;

/**
 * Measures several receivers that live side by side, in turns: only one is sent to at a time. What else happens on the machine
 * meets all of them, and turns are short.
 */
export async function interleaved(trials: readonly Trial[], times: Times): Promise<Rounds> {
  const results: Usage[][] = trials.map(() => []);
  await withPairs(trials, async (pairs) => {
    for (const pair of pairs) await underLoad(pair, () => sleep(times.warmUp * 1000));
    for (let round = 0; round < times.rounds; round += 1)
      for (const [at, pair] of pairs.entries())
        results[at]?.push(await underLoad(pair, () => ask(pair, `measure ${times.seconds}`)));
  });
  return results;
}

/** The medians of one trial. */
export async function measured(trial: Trial, times: Times): Promise<Usage> {
  const [rounds = []] = await interleaved([trial], times);
  return medians(rounds);
}

/** One trial, and where its receiver's time went. */
export async function profiled(trial: Trial, { seconds, warmUp }: Times): Promise<Usage> {
  return withPairs([trial], async ([pair]) => {
    await underLoad(pair as Pair, () => sleep(warmUp * 1000));
    return underLoad(pair as Pair, () => ask(pair as Pair, `profile ${seconds}`));
  });
}

/** One trial without load. */
export async function unloaded(trial: Trial, seconds: number): Promise<Usage> {
  return withPairs([trial], ([pair]) => ask(pair as Pair, `measure ${seconds}`));
}

async function withPairs<T>(
  trials: readonly Trial[],
  work: (pairs: readonly Pair[]) => Promise<T>,
): Promise<T> {
  const pairs: Pair[] = [];
  try {
    for (const trial of trials) pairs.push(await openPair(trial));
    return await work(pairs);
  } finally {
    await Promise.all(pairs.flatMap(({ receiver, sender }) => [receiver.stop(), sender.stop()]));
  }
}

async function openPair({ request, connections, atOnce, rate, form, ...settings }: Trial): Promise<Pair> {
  const receiver = startScript({
    core: 0,
    file: new URL('receiver.ts', import.meta.url),
    args: [JSON.stringify(settings)],
  });
  try {
    const load = [await receiver.line(), settings.transport, request, connections, atOnce, rate, form ?? ''];
    const file = new URL('sender.ts', import.meta.url);
    return { receiver, sender: startScript({ core: 1, file, args: load.map(String) }) };
  } catch (error) {
    await receiver.stop();
    throw error;
  }
}

async function underLoad<T>(pair: Pair, work: () => Promise<T>): Promise<T> {
  pair.sender.send('go');
  await sleep(ROLLING_MS);
  const result = await work();
  pair.sender.send('stop');
  pair.receiver.send('settle');
  await pair.receiver.line();
  return result;
}

async function ask({ receiver }: Pair, command: string): Promise<Usage> {
  receiver.send(command);
  return JSON.parse(await receiver.line()) as Usage;
}
