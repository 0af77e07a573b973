import type { ReceiverSettings } from './receiver-settings.ts';
import { type RequestName, requestNames } from './requests.ts';

export type Part = 'compare' | 'latency' | 'modes' | 'profile' | 'idle' | 'http2';
export type LogName = 'discard' | 'embedded' | 'kafka';

/** What is measured, and how long. */
export interface BenchOptions {
  readonly parts: readonly Part[];
  readonly transports: readonly ReceiverSettings['transport'][];
  readonly requests: readonly RequestName[];
  readonly formats: readonly ReceiverSettings['format'][];
  readonly logs: readonly LogName[];
  /** Of profiles. */
  readonly ackModes: readonly ReceiverSettings['ackMode'][];
  /** Of one turn. */
  readonly seconds: number;
  /** Seconds before the first turn. */
  readonly warmUp: number;
  readonly rounds: number;
}

const parts: readonly Part[] = ['compare', 'latency', 'modes', 'profile', 'idle', 'http2'];
const transports = ['http', 'grpc'] as const;
const formats = ['json', 'protobuf'] as const;
const logs: readonly LogName[] = ['discard', 'embedded', 'kafka'];
const ackModes = ['queued', 'produced', 'spool'] as const;
const words = new Set<string>([
  'all',
  ...parts,
  ...transports,
  ...requestNames,
  ...formats,
  ...logs,
  ...ackModes,
]);

/** Reads words and `name=number`, in any order. Throws for anything else. */
export function benchOptions(args: readonly string[]): BenchOptions {
  const given = new Set(args.filter((arg) => !arg.includes('=')));
  const numbers = numbersIn(args);
  for (const word of given)
    if (!words.has(word)) throw new Error(`unknown word '${word}', expected one of ${[...words].join(', ')}`);
  const chosen = <Word extends string>(all: readonly Word[], usual: readonly Word[]): readonly Word[] => {
    const some = all.filter((word) => given.has(word));
    if (some.length > 0) return some;
    return given.has('all') ? all : usual;
  };
  return {
    parts: chosen(parts, ['compare', 'latency', 'modes']),
    transports: chosen(transports, transports),
    requests: chosen(requestNames, ['span100', 'span1']),
    formats: chosen(formats, ['json']),
    logs: chosen(logs, ['embedded', 'kafka']),
    ackModes: chosen(ackModes, ['queued']),
    ...numbers,
  };
}

function numbersIn(args: readonly string[]): Pick<BenchOptions, 'seconds' | 'warmUp' | 'rounds'> {
  const numbers = { seconds: 0.5, warmUp: 1.5, rounds: 3 };
  for (const arg of args.filter((each) => each.includes('='))) {
    const [name = '', value] = arg.split('=');
    if (!(name in numbers) || !(Number(value) > 0))
      throw new Error(`unknown '${arg}', expected seconds=0.5, warmUp=1.5 or rounds=4`);
    numbers[name as keyof typeof numbers] = Number(value);
  }
  return numbers;
}
