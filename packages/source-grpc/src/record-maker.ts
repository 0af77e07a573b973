import {
  bytesSchema,
  ConnectorError,
  type RecordHeader,
  type SourceOffset,
  type SourcePartition,
  type SourceRecord,
  stringSchema,
} from '@levada/connect-runtime-core';
import { OutputArena } from './output-arena.ts';
import type { PointedText } from './pointed-text.ts';
import type { WaitingMessage } from './waiting-message.ts';

/** What records are made by. */
export interface RecordMakerOptions {
  readonly partition: SourcePartition;
  readonly format: 'json' | 'protobuf';
  /** Where in the message the key is. */
  readonly key: PointedText | undefined;
  /** What a message says that the next request could go on behind; becomes part of the offset. */
  readonly resume: ((sequence: number, document: unknown) => string | undefined) | undefined;
  /** What an earlier run left of that. */
  readonly resumed: string | undefined;
  /** Whether records say in headers where and when they were received. */
  readonly headers: boolean;
  /** Topic for messages that cannot be converted. */
  readonly deadLetterTopic: string | undefined;
  /** Told of each message that cannot be converted, whether or not there is a topic for it. */
  readonly onUnconvertible: (message: WaitingMessage, error: ConnectorError) => void;
}

const noHeaders: readonly RecordHeader[] = [];
const decoder = new TextDecoder();

/** Makes records of what was taken from the queue: the place where conversion may fail. */
export class RecordMaker {
  readonly #options: RecordMakerOptions;
  readonly #arena = new OutputArena();
  readonly #blocks = new WeakMap<readonly SourceRecord[], readonly Uint8Array[]>();
  #resume: string | undefined;

  constructor(options: RecordMakerOptions) {
    this.#options = options;
    this.#resume = options.resume === undefined ? undefined : options.resumed;
  }

  /** The records of one batch, in order; a message without one was told to `onUnconvertible`. */
  records(messages: readonly WaitingMessage[]): readonly SourceRecord[] {
    const records: SourceRecord[] = [];
    let left = 0;
    for (const { value } of messages) left += value.length;
    for (const message of messages) {
      const record = this.#record(message, left);
      left -= message.value.length;
      if (record !== undefined) records.push(record);
    }
    this.#blocks.set(records, this.#arena.take());
    return records;
  }

  /** Nobody looks at these records any more: the memory of their values is used again. */
  settled(records: readonly SourceRecord[]): void {
    const blocks = this.#blocks.get(records);
    if (blocks === undefined) return;
    this.#blocks.delete(records);
    this.#arena.giveBack(blocks);
  }

  #record(message: WaitingMessage, left: number): SourceRecord | undefined {
    const { format, key, resume, headers, partition } = this.#options;
    const { stamp } = message;
    try {
      const json = format === 'json' ? this.#json(message, left) : undefined;
      const looksInside = key !== undefined || resume !== undefined;
      const parsed = looksInside ? documentOf(json ?? converted(message)) : undefined;
      const keyText = key?.(parsed);
      return {
        sourcePartition: partition,
        sourceOffset: this.#offset(message, parsed),
        topic: stamp.topic,
        partition: null,
        keySchema: keyText === undefined ? null : stringSchema,
        key: keyText ?? null,
        valueSchema: json === undefined ? bytesSchema : stringSchema,
        value: json ?? message.value,
        timestamp: stamp.receivedAt,
        headers: headers ? receiptHeaders(message) : noHeaders,
      };
    } catch (thrown) {
      return this.#unconvertible(message, ConnectorError.from(thrown, 'conversion_failed'));
    }
  }

  #json({ value, stamp }: WaitingMessage, left: number): Uint8Array {
    const { converter } = stamp.session.definition;
    // JSON is two to three times as long as the wire form, most of the time.
    return this.#arena.write((output, at) => converter.write(value, output, at), left * 4);
  }

  /** A message without the field that the next request needs leaves it at what the one before it said. */
  #offset({ sequence, stamp }: WaitingMessage, parsed: unknown): SourceOffset {
    const sessionId = stamp.session.id;
    if (parsed !== undefined) this.#resume = this.#options.resume?.(sequence, parsed) ?? this.#resume;
    return this.#resume === undefined
      ? { sessionId, sequence }
      : { sessionId, sequence, resume: this.#resume };
  }

  #unconvertible(message: WaitingMessage, error: ConnectorError): SourceRecord | undefined {
    const { deadLetterTopic, onUnconvertible, partition } = this.#options;
    onUnconvertible(message, error);
    if (deadLetterTopic === undefined) return undefined;
    const { value, stamp } = message;
    return {
      sourcePartition: partition,
      sourceOffset: this.#offset(message, undefined),
      topic: deadLetterTopic,
      partition: null,
      keySchema: null,
      key: null,
      valueSchema: stringSchema,
      value: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64'),
      timestamp: stamp.receivedAt,
      headers: [...receiptHeaders(message), header('error.message', error.message)],
    };
  }
}

/** The JSON of a message whose record holds its bytes. */
function converted({ value, stamp }: WaitingMessage): Uint8Array {
  return stamp.session.definition.converter.convert(value);
}

function documentOf(json: Uint8Array): unknown {
  return JSON.parse(decoder.decode(json));
}

function receiptHeaders({ stamp, sequence }: WaitingMessage): readonly RecordHeader[] {
  return [
    header('session.id', stamp.session.id),
    header('sequence', String(sequence)),
    header('received.at', String(stamp.receivedAt)),
  ];
}

function header(key: string, value: string): RecordHeader {
  return { key, schema: stringSchema, value };
}
