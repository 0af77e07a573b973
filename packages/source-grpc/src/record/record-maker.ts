import {
  bytesSchema,
  ConnectorError,
  type SourceOffset,
  type SourcePartition,
  type SourceRecord,
  stringSchema,
} from '@levada/connect-runtime-core';
import type { RecordHeader } from '@levada/connect-runtime-core/contract';
import { OutputArena, type Printable } from '@levada/connect-runtime-core/source-kit';
import type { WaitingMessage } from '../model/waiting-message.ts';
import { type JsonLimits, jsonDocument, type PointedText, tooLong } from './json-document.ts';

export interface RecordMakerOptions {
  readonly partition: SourcePartition;
  readonly format: 'json' | 'protobuf';
  /** Where in the message the key is. */
  readonly key: PointedText | undefined;
  /** The position in a message that the next request could resume after; becomes part of the offset. */
  readonly resume: ((sequence: number, document: unknown) => string | undefined) | undefined;
  /** The position that an earlier run committed. */
  readonly resumed: string | undefined;
  readonly limits: JsonLimits;
  /** Whether records say in headers where and when they were received. */
  readonly headers: boolean;
  /** Topic for messages that cannot be converted. */
  readonly deadLetterTopic: string | undefined;
  /** Makes text that the server may have had a hand in fit for a log. */
  readonly print: Printable;
  /** Called with each message that cannot be converted, and the reason, whether or not there is a topic for it. */
  readonly onUnconvertible: (message: WaitingMessage, reason: string) => void;
}

export interface MadeRecords {
  /** In order; a message without one was passed to `onUnconvertible`. */
  readonly records: readonly SourceRecord[];
  /** How many messages, from the first on, they were made of. */
  readonly used: number;
}

/** Most bytes of JSON of one batch; the record that passes them is the last one. */
const BATCH_BYTES = 16 * 1024 * 1024;

const noHeaders: readonly RecordHeader[] = [];

/** Makes records of what was taken from the queue: the place where conversion may fail. */
export class MessageRecordMaker {
  readonly #options: RecordMakerOptions;
  readonly #arena = new OutputArena();
  readonly #blocks = new WeakMap<readonly SourceRecord[], readonly Uint8Array[]>();
  #resume: string | undefined;
  /** Is being converted. */
  #message: WaitingMessage | undefined;
  /** Bytes of JSON, in the batch under way. */
  #written = 0;
  /** Writes the JSON of that message. Made once, and not for each message. */
  readonly #write = (output: Uint8Array, at: number): number => {
    const { value, stamp } = this.#message as WaitingMessage;
    return stamp.session.definition.converter.write(value, output, at);
  };

  constructor(options: RecordMakerOptions) {
    this.#options = options;
    this.#resume = options.resume === undefined ? undefined : options.resumed;
  }

  /** Makes records of messages, of the first of them at least. */
  records(messages: readonly WaitingMessage[]): MadeRecords {
    const records: SourceRecord[] = [];
    let left = messages.reduce((sum, { value }) => sum + value.length, 0);
    let used = 0;
    this.#written = 0;
    while (used < messages.length && this.#written < BATCH_BYTES) {
      const message = messages[used] as WaitingMessage;
      const record = this.#record(message, left);
      left -= message.value.length;
      used += 1;
      if (record !== undefined) records.push(record);
    }
    this.#message = undefined;
    this.#blocks.set(records, this.#arena.take());
    return { records, used };
  }

  /** These records are no longer read: the memory of their values is reused. */
  settled(records: readonly SourceRecord[]): void {
    const blocks = this.#blocks.get(records);
    if (blocks === undefined) return;
    this.#blocks.delete(records);
    this.#arena.giveBack(blocks);
  }

  #record(message: WaitingMessage, left: number): SourceRecord | undefined {
    const { format, key, resume, headers, partition, limits } = this.#options;
    const { stamp } = message;
    try {
      const json = format === 'json' ? this.#json(message, left) : undefined;
      const looksInside = key !== undefined || resume !== undefined;
      const parsed = looksInside ? jsonDocument(json ?? converted(message), limits) : undefined;
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
      return this.#unconvertible(message, ConnectorError.from(thrown, 'conversion_failed').message);
    }
  }

  #json(message: WaitingMessage, left: number): Uint8Array {
    this.#message = message;
    // JSON is two to three times as long as the wire form, most of the time.
    const json =
      this.#arena.write(this.#write, left * 4) ?? ownCopy(converted(message), this.#options.limits);
    this.#written += json.length;
    return json;
  }

  /** A message without the field that the next request needs leaves it at what the one before it said. */
  #offset({ sequence, stamp }: WaitingMessage, parsed: unknown): SourceOffset {
    const sessionId = stamp.session.id;
    if (parsed !== undefined) this.#resume = this.#options.resume?.(sequence, parsed) ?? this.#resume;
    return this.#resume === undefined
      ? { sessionId, sequence }
      : { sessionId, sequence, resume: this.#resume };
  }

  #unconvertible(message: WaitingMessage, reason: string): SourceRecord | undefined {
    const { deadLetterTopic, onUnconvertible, partition } = this.#options;
    const shown = this.#options.print(reason);
    onUnconvertible(message, shown);
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
      headers: [...receiptHeaders(message), header('error.message', shown)],
    };
  }
}

/** JSON that is too long to lie with others. The converter will use its memory for the next message. */
function ownCopy(json: Uint8Array, { written }: JsonLimits): Uint8Array {
  if (json.length > written) throw tooLong(written);
  return Buffer.from(json);
}

/** The JSON of a message whose record holds its bytes. */
function converted({ value, stamp }: WaitingMessage): Uint8Array {
  return stamp.session.definition.converter.convert(value);
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
