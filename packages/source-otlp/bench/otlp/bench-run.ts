import type { BenchOptions, LogName } from './bench-options.ts';
import type { Trial } from './trials.ts';
import type { Usage } from './usage.ts';

/** What the parts of the benchmark have in common. */
export interface BenchRun {
  readonly options: BenchOptions;
  /** Logs and how they are reached. */
  readonly logs: readonly { readonly name: LogName; readonly target: string }[];
  /** Says whether a goal was met, at the end. */
  readonly goal: (text: string, met: boolean) => void;
}

/** Load of a closed loop. */
const closedLoop = {
  http: { connections: 16, atOnce: 1 },
  grpc: { connections: 8, atOnce: 16 },
} as const;

/** A trial of our receiver at full speed, with its defaults, into nothing. */
export function plainTrial(transport: Trial['transport']): Trial {
  return {
    receiver: 'own',
    transport,
    signal: 'traces',
    request: 'span100',
    format: 'json',
    ackMode: 'queued',
    target: 'discard',
    timed: false,
    rate: 0,
    ...closedLoop[transport],
  };
}

/** Thousands, with as many decimals as are significant. */
export function thousands(value: number): string {
  return `${(value / 1000).toFixed(value < 1000 ? 2 : value < 20_000 ? 1 : 0)}k`;
}

/** Requests per second, and CPU microseconds per request. */
export function figures({ perSecond, cpuMicros }: Usage): string {
  return `${thousands(perSecond)} [${cpuMicros.toFixed(cpuMicros < 100 ? 1 : 0)}]`;
}
