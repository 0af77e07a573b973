import { countTopic, type ReachableBroker, readTopic } from '@levada/kafka-testkit';
import { openEmbeddedReader } from '@levada/platform-embedded';
import { onCluster } from './worker-process.ts';

/** A record as another program reads it. */
export interface StoredRecord {
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestamp: number;
}

/** Where a worker keeps its records. */
export interface StoredLog {
  /** Worker keys that select this log. */
  readonly properties: Readonly<Record<string, string>>;
  /** All records of a topic of one partition, in order; waits for so many of them. Default: as many as there are offsets. */
  records(topic: string, count?: number): Promise<readonly StoredRecord[]>;
}

/** The log in the folder of a worker. */
export function embeddedLog(folder: string): StoredLog {
  return {
    properties: {},
    records: async (topic) => {
      const reader = await openEmbeddedReader({ folder: `${folder}/.levada` });
      try {
        if ((await reader.topic(topic)) === undefined) return [];
        const records: StoredRecord[] = [];
        for await (const { key, value, headers, timestamp } of reader.read({ topic })) {
          const pairs = headers.map((header) => [header.key, text(header.value)] as const);
          records.push(stored({ key, value, pairs, timestamp }));
        }
        return records;
      } finally {
        await reader.close();
      }
    },
  };
}

/** A cluster; `id` keeps the worker's internal topics apart from those of other tests. */
export function clusterLog(broker: ReachableBroker, id: string): StoredLog {
  return {
    properties: onCluster(broker.bootstrap, id),
    records: async (topic, count) => {
      const expected = count ?? (await countTopic(broker, topic));
      const records = await readTopic(broker, topic, {
        count: expected,
        lingerMs: count === undefined ? 0 : 300,
      });
      return records.map(({ key, value, headers, timestamp }) => {
        const pairs = headers.map(([name, bytes]) => [name, text(bytes)] as const);
        return stored({ key, value, pairs, timestamp });
      });
    },
  };
}

interface Parts {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly pairs: readonly (readonly [string, string])[];
  readonly timestamp: number;
}

function stored({ key, value, pairs, timestamp }: Parts): StoredRecord {
  return {
    key: key === null ? null : text(key),
    value: text(value),
    headers: Object.fromEntries(pairs),
    timestamp,
  };
}

function text(bytes: Uint8Array | null): string {
  return Buffer.from(bytes ?? []).toString();
}
