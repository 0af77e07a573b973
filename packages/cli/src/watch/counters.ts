import { connectorPath, type WorkerClient } from '../client/worker-client.ts';

/** Connectors whose metrics are asked for: one request each. */
const MAX_MEASURED = 100;
/** Requests at once. */
const AT_ONCE = 10;

/** Counters of a connector since its worker started; null where the worker does not have them. */
export interface Counters {
  readonly received: number | null;
  readonly produced: number | null;
  readonly dropped: number | null;
  readonly queued: number | null;
}

/** Those of a connector that was not measured. */
export const noCounters: Counters = { received: null, produced: null, dropped: null, queued: null };

/** Counters of the first 100 connectors by name; none for workers of Kafka Connect, which have them in JMX only. */
export async function countersOf(
  client: WorkerClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, Counters>> {
  const found = new Map<string, Counters>();
  for (let at = 0; at < Math.min(names.length, MAX_MEASURED); at += AT_ONCE) {
    const answers = await Promise.all(
      names.slice(at, at + AT_ONCE).map(async (name) => {
        const { status, body } = await client.ask('GET', `${connectorPath(name)}/metrics`);
        return status === 200 ? ([name, counters(body)] as const) : undefined;
      }),
    );
    const answered = answers.filter((answer) => answer !== undefined);
    for (const [name, values] of answered) found.set(name, values);
    if (answered.length === 0) return found;
  }
  return found;
}

function counters(metrics: unknown): Counters {
  const values = Object.values(
    (metrics ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  );
  const sum = (pattern: RegExp): number | null => {
    const numbers = values.flatMap((attributes) =>
      Object.entries(attributes).flatMap(([name, value]) =>
        pattern.test(name) && typeof value === 'number' ? [value] : [],
      ),
    );
    return numbers.length === 0 ? null : numbers.reduce((total, one) => total + one, 0);
  };
  return {
    received: sum(/^(?:Messages|Traces|Metrics|Logs|Profiles)Received$/),
    produced: sum(/^RecordsProduced$/),
    dropped: sum(/^(?:Messages|Traces|Metrics|Logs|Profiles)Dropped$/),
    queued: sum(/^QueueSize$/),
  };
}
