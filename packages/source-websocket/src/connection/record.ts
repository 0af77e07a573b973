import { isUtf8 } from 'node:buffer';
import { bytesSchema, type SourceRecord, stringSchema } from '@levada/connect-runtime-core';

/** How binary messages are handled. */
export type BinaryMode = 'drop' | 'base64' | 'utf8' | 'bytes';

/** A record whose value may still be exchanged for an equal one: it waits in the queue. */
export interface WaitingRecord extends SourceRecord {
  value: Uint8Array;
}

/** Properties that all messages of one burst share. */
export interface MessageStamp {
  /** Topic in force when they arrived. */
  readonly topic: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

const noHeaders: SourceRecord['headers'] = [];

/**
 * The record of a message, made at receipt: no key, no source offset, the time of receipt. Text stays UTF-8 bytes, which
 * may be part of a larger buffer; a binary message has the schema of bytes.
 */
export function messageRecord(value: Uint8Array, binary: boolean, stamp: MessageStamp): WaitingRecord {
  return {
    sourcePartition: null,
    sourceOffset: null,
    topic: stamp.topic,
    partition: null,
    keySchema: null,
    key: null,
    valueSchema: binary ? bytesSchema : stringSchema,
    value,
    timestamp: stamp.receivedAt,
    headers: noHeaders,
  };
}

/** A record as its mode wants it. Undefined for a binary message that was to be text and is none. */
export function inMode(record: WaitingRecord, mode: BinaryMode): SourceRecord | undefined {
  if (record.valueSchema !== bytesSchema || mode === 'bytes') return record;
  if (mode === 'utf8') return isUtf8(record.value) ? { ...record, valueSchema: stringSchema } : undefined;
  return { ...record, valueSchema: stringSchema, value: base64(record.value) };
}

function base64(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return Buffer.from(text, 'latin1');
}
