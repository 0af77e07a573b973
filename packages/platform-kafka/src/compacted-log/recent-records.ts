import {
  type CompactedRecord,
  type RecordPage,
  type RecordQuery,
  selectRecords,
} from '@levada/connect-runtime-core/platform';
import type { Cluster } from '../cluster/cluster.ts';
import { errorCodes, readError } from '../model/broker-errors.ts';
import { fetchOnce } from './fetch.ts';
import { EARLIEST, LATEST, listOffsets } from './list-offsets.ts';
import { readRecordBatches } from './record-batches.ts';

/** Maximum bytes to fetch of a topic, and of a partition at once. A larger record is returned alone. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_PARTITION_BYTES = 256 * 1024;

/** The range to read of one partition. */
interface Range {
  readonly partition: number;
  readonly leader: number;
  readonly end: number;
  next: number;
}

/**
 * Reads one page of a topic: the last records, or those after a position, without open and aborted transactions. Reads at most 4
 * MiB. Rejects with the brokers' errors.
 */
export async function recentRecords(cluster: Cluster, query: RecordQuery): Promise<RecordPage> {
  const ranges = await rangesOf(cluster, query);
  const records: CompactedRecord[] = [];
  let bytes = 0;
  const hasMore = ({ next, end }: Range): boolean => next < end;
  while (ranges.some(hasMore) && bytes < MOST_BYTES) {
    if (query.after !== undefined && records.length >= query.most) break;
    const before = bytes;
    for (const [leader, those] of Map.groupBy(ranges.filter(hasMore), (range) => range.leader))
      bytes += await fetchSome(cluster, { topic: query.topic, leader, ranges: those, records });
    if (bytes === before) break;
  }
  return selectRecords(query, new Map(ranges.map(({ partition, next }) => [partition, next])), records);
}

async function rangesOf(cluster: Cluster, { topic, after, most }: RecordQuery): Promise<readonly Range[]> {
  const { topics } = await cluster.metadata([topic]);
  const [found] = topics;
  const errorCode = found?.errorCode ?? errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
  if (found === undefined || errorCode !== errorCodes.NONE)
    throw readError(errorCode, `cannot read topic "${topic}"`);
  const leaders = new Map(
    found.partitions.map((partition) => [partition.partitionIndex, partition.leaderId]),
  );
  const starts = await listOffsets(cluster, { topic, leaders, time: EARLIEST });
  const ends = await listOffsets(cluster, { topic, leaders, time: LATEST, committed: true });
  const [failure] = [...starts.failures.values(), ...ends.failures.values()];
  if (failure !== undefined) throw failure;
  return [...leaders].map(([partition, leader]) => {
    const start = starts.offsets.get(partition) ?? 0;
    const end = ends.offsets.get(partition) ?? start;
    const wanted = after === undefined ? end - most : (after.get(partition) ?? start);
    // A topic that was deleted and created again starts at 0
    return { partition, leader, end, next: wanted > end ? start : Math.max(start, wanted) };
  });
}

async function fetchSome(
  cluster: Cluster,
  {
    topic,
    leader,
    ranges,
    records,
  }: {
    readonly topic: string;
    readonly leader: number;
    readonly ranges: readonly Range[];
    readonly records: CompactedRecord[];
  },
): Promise<number> {
  const answer = await fetchOnce(await cluster.link(leader, 'fetch'), {
    topic,
    positions: new Map(ranges.map(({ partition, next }) => [partition, next])),
    settings: { maxWaitMs: 100, maxBytes: MOST_BYTES, maxPartitionBytes: MOST_PARTITION_BYTES },
  });
  let bytes = 0;
  for (const { partition, errorCode, batches, aborted } of answer.partitions) {
    const range = ranges.find((one) => one.partition === partition);
    if (errorCode !== errorCodes.NONE)
      throw readError(errorCode, `cannot read topic "${topic}" partition ${partition}`);
    if (range === undefined) continue;
    bytes += batches.length;
    const onRecord = (record: CompactedRecord): void => void records.push(record);
    range.next = readRecordBatches(batches, { topic, partition, from: range.next, aborted, onRecord });
  }
  return bytes;
}
