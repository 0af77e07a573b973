import type { SelfTime } from './self-times.ts';

/** What functions are for, by their names and files; the first that fits counts. */
const groups: readonly (readonly [name: string, functions: RegExp])[] = [
  ['measuring', /node:inspector|cpuUsage|resourceUsage/],
  ['check', /walk\.js|text-size|wire-check|check-export/],
  [
    'conversion',
    /wasm|plain-converter|(message|value|list|converter|strings|bytes|integers\d*|doubles|input|reader|record-values)\.js/,
  ],
  ['checksum of batches', /crc/],
  [
    'batches and requests to the log',
    /record-(batch|encoding)|produce|sequenced|sender\.js|broker-link|binary-encoding|partition|commit/,
  ],
  ['system calls, event loop', /^(writev|write\w*String|writeBuffer|read|shutdown|\(program\))/],
  ['garbage collection', /garbage/],
  [
    'HTTP/2',
    /frame-|server-session|server-stream|hpack|header-block|message-reader|unary-call|server-connection|request-headers/,
  ],
  [
    'node:http, streams, timers',
    /node:|_http|readable|writable|stream_base|task_queues|timers|events|buffer:|processTicks/,
  ],
  ['receiver, queue, records, delivery', /./],
];

/** Microseconds of CPU that each group takes of an export, without what measuring takes. */
export function costGroups(
  times: readonly SelfTime[],
  cpuMicros: number,
): readonly (readonly [name: string, micros: number])[] {
  const shares = new Map(groups.map(([name]) => [name, 0]));
  for (const [share, name] of times) {
    const [group = ''] = groups.find(([, functions]) => functions.test(name)) ?? [];
    shares.set(group, (shares.get(group) ?? 0) + share);
  }
  const whole = 100 - (shares.get('measuring') ?? 0);
  shares.delete('measuring');
  return [...shares].map(([name, share]) => [name, (share / whole) * cpuMicros] as const);
}
