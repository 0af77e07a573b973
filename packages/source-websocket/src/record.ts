import { isUtf8 } from 'node:buffer';
import { bytesSchema, type Schema, type SourceRecord, stringSchema } from '@levada/connect-runtime-core';
import type { Frame } from './frame.ts';

/** What becomes of binary messages that are not dropped at receipt. */
export type BinaryMode = 'drop' | 'base64' | 'utf8' | 'bytes';

const noHeaders: SourceRecord['headers'] = [];

/**
 * The record of a message: no key, no source offset, the time of receipt. Text stays UTF-8 bytes. Undefined for a binary
 * message that was to be text and is none.
 */
export function toRecord(frame: Frame, mode: BinaryMode): SourceRecord | undefined {
  if (!frame.binary) return record(frame, stringSchema, frame.data);
  switch (mode) {
    case 'utf8':
      return isUtf8(frame.data) ? record(frame, stringSchema, frame.data) : undefined;
    case 'base64':
      return record(frame, stringSchema, Buffer.from(bufferOf(frame.data).toString('base64'), 'latin1'));
    case 'bytes':
      return record(frame, bytesSchema, frame.data);
    case 'drop':
      return undefined;
  }
}

function record(frame: Frame, valueSchema: Schema, value: Uint8Array): SourceRecord {
  return {
    sourcePartition: null,
    sourceOffset: null,
    topic: frame.topic,
    partition: null,
    keySchema: null,
    key: null,
    valueSchema,
    value,
    timestamp: frame.receivedAt,
    headers: noHeaders,
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
