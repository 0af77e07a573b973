import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { ConnectorError } from '@levada/connect-runtime-core';
import { unpackLz4 } from './lz4.ts';
import { unpackSnappy } from './snappy.ts';

/** Larger batches are refused. */
const LARGEST = 256 * 1024 * 1024;

/** By Kafka's number in the attributes of a batch. */
const codecs: readonly {
  readonly name: string;
  readonly unpack: (packed: Buffer) => Buffer;
}[] = [
  { name: 'none', unpack: (packed) => packed },
  { name: 'gzip', unpack: (packed) => gunzipSync(packed, { maxOutputLength: LARGEST }) },
  { name: 'snappy', unpack: (packed) => unpackSnappy(packed, LARGEST) },
  { name: 'lz4', unpack: (packed) => unpackLz4(packed, LARGEST) },
  { name: 'zstd', unpack: (packed) => zstdDecompressSync(packed, { maxOutputLength: LARGEST }) },
];

/** The decompressed records of a batch. Throws `unsupported` or `log_corrupt`. */
export function decompress(
  packed: Buffer,
  codec: number,
  { topic, partition }: { readonly topic: string; readonly partition: number },
): Buffer {
  const place = `topic "${topic}" partition ${partition}`;
  const found = codecs[codec];
  if (found === undefined) {
    throw new ConnectorError('unsupported', `${place} holds a batch with unknown compression ${codec}`);
  }
  try {
    return found.unpack(packed);
  } catch (error) {
    const message = `${place} holds a batch that cannot be unpacked (${found.name})`;
    throw new ConnectorError('log_corrupt', message, { cause: error });
  }
}
