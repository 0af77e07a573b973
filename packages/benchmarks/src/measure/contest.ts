import { type Contender, type Pair, type Turn, takeTurn, warmUp } from './turns.ts';

/** What all turns of one contender measured; without turns, why there are none. */
export interface Measured {
  readonly name: string;
  readonly unavailable?: string;
  readonly turns: readonly Turn[];
}

/** How long is measured. */
export interface Rounds {
  /** Turns of each contender. */
  readonly runs: number;
  /** Of a turn. */
  readonly seconds: number;
  /** Multiplies the time of warming up. */
  readonly warmUpShare: number;
}

/** Says what happens at the moment. */
export type Say = (text: string) => void;

/** One that runs, and what it measured so far. */
interface Running {
  readonly contender: Contender;
  readonly turns: Turn[];
  pair: Pair | undefined;
  problem?: string;
}

/**
 * Measures several systems that live side by side, in turns: only one is sent to at a time, and each round has a turn of each, so that
 * what else happens on the machine meets all of them. One that fails is named with its reason, and the others continue.
 */
export async function contest(
  contenders: readonly Contender[],
  { runs, seconds, warmUpShare }: Rounds,
  say: Say,
): Promise<readonly Measured[]> {
  const all: Running[] = contenders.map((contender) => ({ contender, turns: [], pair: undefined }));
  try {
    for (const one of all) {
      await attempt(one, async () => {
        if (one.contender.unavailable !== undefined) throw new Error(one.contender.unavailable);
        say(`starting and warming up: ${one.contender.name}`);
        one.pair = await one.contender.open();
        await warmUp(one.contender.name, one.pair, one.contender.warmUp * warmUpShare);
      });
    }
    for (let run = 1; run <= runs; run += 1) {
      for (const one of all) {
        const { pair } = one;
        if (pair === undefined) continue;
        say(`run ${run} of ${runs}: ${one.contender.name}`);
        await attempt(one, async () => {
          one.turns.push(await takeTurn(pair, seconds));
        });
      }
    }
  } finally {
    await Promise.all(all.map(close));
  }
  return all.map(({ contender: { name }, turns, problem }) =>
    problem === undefined ? { name, turns } : { name, unavailable: problem, turns: [] },
  );
}

async function attempt(one: Running, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { message } = error as Error;
    one.problem = message.trim();
    await close(one);
  }
}

async function close(one: Running): Promise<void> {
  const { pair } = one;
  one.pair = undefined;
  await Promise.all([pair?.consumer?.stop(), pair?.system.stop(), pair?.load.stop()]);
}
