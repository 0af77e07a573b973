import { ByteReader } from '../wire/byte-reader.ts';

/** The batches of one topic in a request. */
export interface TopicBatches {
  readonly topic: string;
  /** Views that start with partition and size. */
  readonly wires: readonly Buffer[];
}

/** A Produce request, versions 7 and 8, with acknowledgement by all in-sync replicas. */
export interface ProduceRequest {
  readonly version: number;
  readonly clientId: string;
  /** Null without a transaction. */
  readonly transactionalId: string | null;
  /** How long the leader may wait for the replicas. */
  readonly timeoutMs: number;
  readonly topics: readonly TopicBatches[];
}

const API_KEY = 0;
const ALL_REPLICAS = -1;

/** The pieces of a request, without copies of the batches. The correlation id, at byte 8 of the first piece, is not set. */
export function produceRequest(request: ProduceRequest): Buffer[] {
  const pieces: Buffer[] = [requestHead(request)];
  for (const { topic, wires } of request.topics) pieces.push(topicHead(topic, wires.length), ...wires);
  const size = pieces.reduce((sum, piece) => sum + piece.length, -4);
  pieces[0]?.writeInt32BE(size, 0);
  return pieces;
}

function requestHead({ version, clientId, transactionalId, timeoutMs, topics }: ProduceRequest): Buffer {
  const id = Buffer.from(clientId);
  const transaction = Buffer.from(transactionalId ?? '');
  const head = Buffer.allocUnsafe(4 + 2 + 2 + 4 + 2 + id.length + 2 + transaction.length + 2 + 4 + 4);
  let at = head.writeInt16BE(API_KEY, 4);
  at = head.writeInt16BE(version, at);
  at = head.writeInt32BE(0, at);
  at = head.writeInt16BE(id.length, at);
  at += id.copy(head, at);
  at = head.writeInt16BE(transactionalId === null ? -1 : transaction.length, at);
  at += transaction.copy(head, at);
  at = head.writeInt16BE(ALL_REPLICAS, at);
  at = head.writeInt32BE(timeoutMs, at);
  head.writeInt32BE(topics.length, at);
  return head;
}

function topicHead(topic: string, partitions: number): Buffer {
  const name = Buffer.from(topic);
  const head = Buffer.allocUnsafe(2 + name.length + 4);
  const at = head.writeInt16BE(name.length, 0) + name.copy(head, 2);
  head.writeInt32BE(partitions, at);
  return head;
}

/** A record that caused the refusal of a batch, by its index in the batch. */
export interface RecordRefusal {
  readonly index: number;
  readonly message: string | null;
}

/** The answer for one batch. */
export interface BatchAnswer {
  readonly topic: string;
  readonly partition: number;
  /** Kafka's error code; 0: stored. */
  readonly code: number;
  readonly message: string | null;
  readonly records: readonly RecordRefusal[];
}

/** A Produce response. */
export interface ProduceAnswer {
  readonly batches: readonly BatchAnswer[];
  /** How long the client must not send. */
  readonly throttleMs: number;
}

/** Decodes the payload of a response of version 7 or 8. Throws a RangeError if it is too short. */
export function readProduceResponse(payload: Buffer, version: number): ProduceAnswer {
  const reader = new ByteReader(payload);
  const batches = reader.list(() => {
    const topic = reader.text() ?? '';
    return reader.list(() => readBatchAnswer(reader, topic, version));
  });
  return { batches: batches.flat(), throttleMs: reader.int32() };
}

function readBatchAnswer(reader: ByteReader, topic: string, version: number): BatchAnswer {
  const partition = reader.int32();
  const code = reader.int16();
  reader.skip(24); // base offset, time of appending, start of the log
  if (version < 8) return { topic, partition, code, message: null, records: [] };
  const records = reader.list(() => ({ index: reader.int32(), message: reader.text() }));
  return { topic, partition, code, records, message: reader.text() };
}
