/** The batches of one topic in a request, as they stand there. */
export interface TopicBatches {
  readonly topic: string;
  /** Views that begin with partition and size. */
  readonly wires: readonly Buffer[];
}

/** A Produce request, versions 7 and 8, with acknowledgement by all in-sync replicas. */
export interface ProduceRequest {
  readonly version: number;
  readonly clientId: string;
  /** How long the leader may wait for the replicas. */
  readonly timeoutMs: number;
  readonly topics: readonly TopicBatches[];
}

const API_KEY = 0;
const ALL_REPLICAS = -1;

/** The pieces of a request, the batches themselves not copied. The correlation id, at byte 8 of the first, is left open. */
export function produceRequest(request: ProduceRequest): Buffer[] {
  const pieces: Buffer[] = [requestHead(request)];
  for (const { topic, wires } of request.topics) pieces.push(topicHead(topic, wires.length), ...wires);
  const size = pieces.reduce((sum, piece) => sum + piece.length, -4);
  pieces[0]?.writeInt32BE(size, 0);
  return pieces;
}

function requestHead({ version, clientId, timeoutMs, topics }: ProduceRequest): Buffer {
  const id = Buffer.from(clientId);
  const head = Buffer.allocUnsafe(4 + 2 + 2 + 4 + 2 + id.length + 2 + 2 + 4 + 4);
  let at = head.writeInt16BE(API_KEY, 4);
  at = head.writeInt16BE(version, at);
  at = head.writeInt32BE(0, at);
  at = head.writeInt16BE(id.length, at);
  at += id.copy(head, at);
  at = head.writeInt16BE(-1, at); // no transactional id
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
