import { waitFor } from '@levada/connect-runtime-core/testing';
import { onTestFinished } from 'vitest';
import { type ExportResult, type OtlpClient, type Transport, transports } from './otlp-client.ts';
import { threeSignals } from './otlp-numbered.ts';

export interface LoadOptions {
  /** Ids are `<prefix>-<number>`. */
  readonly prefix: string;
  readonly perSecond: number;
  /** Picks transports and pauses. */
  readonly random: (least: number, most: number) => number;
  /** Default: all, mixed. */
  readonly over?: readonly Transport[];
  /** Whether an export that was not answered with success is sent again until it is. Default: true. */
  readonly again?: boolean;
}

/** Exports at a steady rate, each with an id of its own, and what was said of them. */
export interface Load {
  /** Ids that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Those of them that were answered with success. */
  readonly acknowledged: ReadonlySet<string>;
  /** Attempts that were not answered with success. */
  readonly refusals: readonly ExportResult[];
  /** Those of them that may have reached the log nevertheless. */
  readonly unknown: number;
  /** Milliseconds that attempts took which were. */
  readonly latencies: readonly number[];
  /** Sends nothing new, and waits until everything is settled. */
  finish(): Promise<void>;
}

/** A client has a bounded number of exports in flight: refused ones delay new ones. */
const MOST_OPEN = 256;
const TICK_MS = 10;
/** Longest that a test waits for the last answers. */
const SETTLED_MS = 60_000;

/** Sends until `finish`, or until the test is over. */
export function steadyLoad(client: OtlpClient, options: LoadOptions): Load {
  const { prefix, perSecond, random, over = transports, again = true } = options;
  const sent = new Set<string>();
  const acknowledged = new Set<string>();
  const refusals: ExportResult[] = [];
  const latencies: number[] = [];
  const began = performance.now();
  let open = 0;
  let given = 0;
  let stopped = false;

  const exportOne = async (id: string, number: number): Promise<void> => {
    const signal = threeSignals[number % threeSignals.length] ?? 'traces';
    const transport = over[random(0, over.length - 1)] ?? 'grpc';
    for (;;) {
      const result = await client.send(transport, signal, id);
      if (result.kind === 'success') {
        acknowledged.add(id);
        latencies.push(result.ms);
        return;
      }
      refusals.push(result);
      if (!again) return;
      await new Promise((resolve) => setTimeout(resolve, random(100, 400)));
      if (stopped) return;
    }
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    for (; given < due && open < MOST_OPEN; given += 1) {
      const id = `${prefix}-${given}`;
      sent.add(id);
      open += 1;
      void exportOne(id, given).finally(() => {
        open -= 1;
      });
    }
  }, TICK_MS);
  onTestFinished(() => {
    stopped = true;
    clearInterval(timer);
  });
  return {
    sent,
    acknowledged,
    refusals,
    latencies,
    get unknown() {
      return refusals.filter(({ kind }) => kind !== 'unreachable').length;
    },
    finish: async () => {
      clearInterval(timer);
      await waitFor(() => open === 0, { timeoutMs: SETTLED_MS, what: () => `${open} exports open` });
    },
  };
}
