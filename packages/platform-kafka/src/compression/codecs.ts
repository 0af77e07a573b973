import { constants, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A compression of record batches. */
export interface Codec {
  /** Kafka's number, in the attributes of a batch. */
  readonly id: number;
  readonly pack: (bytes: Buffer) => Buffer;
  readonly unpack: (bytes: Buffer) => Buffer;
}

/** Supported values of `compression.type`, at their fastest level: a producer shares its thread with the sources. */
export const codecs = {
  none: { id: 0, pack: (bytes) => bytes, unpack: (bytes) => bytes },
  gzip: { id: 1, pack: (bytes) => gzipSync(bytes, { level: 1 }), unpack: (bytes) => gunzipSync(bytes) },
  zstd: {
    id: 4,
    pack: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
    unpack: (bytes) => zstdDecompressSync(bytes),
  },
} as const satisfies Record<string, Codec>;

/** A supported value of `compression.type`. */
export type CompressionType = keyof typeof codecs;
