/** A broker's answer to produce requests, made up: nothing is stored. */
export interface ProduceRefusal {
  /** Kafka's error code, for every partition of the request. */
  readonly code: number;
  /** Answers this many requests so. Default: 1. */
  readonly times?: number;
  /** Invalid records for `INVALID_RECORD` (87), by index within each batch. */
  readonly records?: readonly { readonly index: number; readonly message: string }[];
  readonly message?: string;
  /** The client is to keep silent for this long. */
  readonly throttleMs?: number;
}

/** The response, as a frame, to a produce request (version 7 or 8) that is given as a frame. */
export function refuseProduce(frame: Buffer, refusal: ProduceRefusal): Buffer {
  const version = frame.readInt16BE(6);
  const topics = readTopics(frame);
  const out: Buffer[] = [int32(frame.readInt32BE(8)), int32(topics.length)];
  for (const { name, partitions } of topics) {
    out.push(text(name), int32(partitions.length));
    for (const partition of partitions) {
      out.push(int32(partition), int16(refusal.code), int64(-1n), int64(-1n), int64(-1n));
      if (version >= 8) out.push(...recordErrors(refusal), text(refusal.message ?? null));
    }
  }
  out.push(int32(refusal.throttleMs ?? 0));
  const body = Buffer.concat(out);
  return Buffer.concat([int32(body.length), body]);
}

function recordErrors({ records = [] }: ProduceRefusal): readonly Buffer[] {
  return [int32(records.length), ...records.flatMap(({ index, message }) => [int32(index), text(message)])];
}

interface TopicOfRequest {
  readonly name: string;
  readonly partitions: readonly number[];
}

function readTopics(frame: Buffer): readonly TopicOfRequest[] {
  let at = 12;
  const nextInt32 = (): number => {
    at += 4;
    return frame.readInt32BE(at - 4);
  };
  const nextText = (): string => {
    const length = Math.max(0, frame.readInt16BE(at));
    at += 2 + length;
    return frame.toString('utf8', at - length, at);
  };
  const list = <T>(read: () => T): T[] => Array.from({ length: nextInt32() }, read);
  nextText(); // client id
  nextText(); // transactional id
  at += 6; // acks and time-out
  return list(() => ({
    name: nextText(),
    partitions: list(() => {
      const partition = nextInt32();
      at += 4 + frame.readInt32BE(at);
      return partition;
    }),
  }));
}

export function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

export function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

function int64(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(value);
  return buffer;
}

export function text(value: string | null): Buffer {
  if (value === null) return int16(-1);
  const bytes = Buffer.from(value);
  return Buffer.concat([int16(bytes.length), bytes]);
}
