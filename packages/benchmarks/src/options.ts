import { parseArgs } from 'node:util';
import type { Rounds } from './measure/contest.ts';

/** Parts of the comparison, in their order. */
export const parts = ['websocket', 'grpc', 'otlp', 'latency', 'idle'] as const;

export type Part = (typeof parts)[number];

/** What is compared, how long, and where the result goes. */
export interface CompareOptions {
  readonly parts: readonly Part[];
  readonly rounds: Rounds;
  /** File that all turns are written to, as JSON. */
  readonly json: string | undefined;
  /** Whether the page of the documentation is written. */
  readonly docs: boolean;
}

export const compareUsage = `usage: npm run bench -- compare [${parts.join('] [')}] [options]
  --runs N      turns of each, of which medians are taken (5)
  --seconds S   of a turn (4)
  --quick       three turns of 1.5 seconds and a short warm-up: a look, no result
  --json FILE   writes all turns
  --docs        writes docs/reference/benchmarks.md, of all parts
`;

const usual: Rounds = { runs: 5, seconds: 4, warmUpShare: 1 };
const quick: Rounds = { runs: 3, seconds: 1.5, warmUpShare: 0.4 };

/** Reads the arguments of the comparison. Throws for what it does not know. */
export function compareOptions(args: readonly string[]): CompareOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((word) => !(parts as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw new Error(`unknown part "${unknown}", expected one of ${parts.join(', ')}`);
  if (values.docs && positionals.length > 0)
    throw new Error('--docs writes the whole page, expected no names of parts beside it');
  const base = values.quick ? quick : usual;
  const runs = positive('--runs', values.runs, base.runs);
  if (!Number.isInteger(runs)) throw new Error(`--runs is ${runs}, expected a whole number`);
  return {
    parts: positionals.length === 0 ? parts : parts.filter((part) => positionals.includes(part)),
    rounds: { ...base, runs, seconds: positive('--seconds', values.seconds, base.seconds) },
    json: values.json,
    docs: values.docs,
  };
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} is "${text}", expected a number above 0`);
  return value;
}
