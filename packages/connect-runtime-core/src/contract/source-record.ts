import type { Schema } from './schema.ts';
import type { SourceOffset, SourcePartition } from './source-offset.ts';

/** A header of a record, in order; names may repeat. */
export interface RecordHeader {
  /** Name; several headers may have the same. */
  readonly key: string;
  /** Type of the value; null: none is stated. */
  readonly schema: Schema | null;
  readonly value: unknown;
}

/**
 * One record as a task hands it over. A plain value that is not written to.
 *
 * Text may be held as UTF-8 bytes (`value` a Uint8Array with {@link stringSchema}), so that a converter can pass it to the
 * log without making a string. `sourcePartition` and `sourceOffset` are null for a source that cannot resume; then
 * nothing is ever committed for the record. `timestamp` is milliseconds since 1970, or null for the time of producing.
 * `V` is the type of the value where it is known, as in the records of `source.json<V>()`.
 */
export interface SourceRecord<V = unknown> {
  /** Which part of the source it is from, such as server and method; null: it has no offsets. */
  readonly sourcePartition: SourcePartition | null;
  /** The place after this record in that part: given back as `offsets`, the source continues there. Null: there is none. */
  readonly sourceOffset: SourceOffset | null;
  /** Topic that it is written to, unless a sink has its own: the `topic` of the source. */
  readonly topic: string;
  /** Null: the platform chooses (hash of the key, or sticky without a key). */
  readonly partition: number | null;
  /** Type of the key; null: none is stated. */
  readonly keySchema: Schema | null;
  /** Null: the record has no key. */
  readonly key: unknown;
  /** Type of the value; null: none is stated. */
  readonly valueSchema: Schema | null;
  /** What was received, as `json`, `text`, `bytes` or `decode` read it; null deletes the key in a compacted topic. */
  readonly value: V;
  /** Time in milliseconds since 1970: when it was received, unless the source has another; null: that of writing. */
  readonly timestamp: number | null;
  /** In the order in which they are written. */
  readonly headers: readonly RecordHeader[];
}

/** Input of {@link sourceRecord}. Omitted properties are null or empty. */
export type SourceRecordInput = Pick<SourceRecord, 'topic' | 'value'> & Partial<SourceRecord>;

const noHeaders: readonly RecordHeader[] = [];

/** A record from its topic, its value and whatever else differs from the default (null, no headers). */
export function sourceRecord(input: SourceRecordInput): SourceRecord {
  return {
    sourcePartition: input.sourcePartition ?? null,
    sourceOffset: input.sourceOffset ?? null,
    topic: input.topic,
    partition: input.partition ?? null,
    keySchema: input.keySchema ?? null,
    key: input.key ?? null,
    valueSchema: input.valueSchema ?? null,
    value: input.value,
    timestamp: input.timestamp ?? null,
    headers: input.headers ?? noHeaders,
  };
}
