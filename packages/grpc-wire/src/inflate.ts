import {
  constants,
  gunzip,
  gunzipSync,
  inflate,
  inflateSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';

/** How a body is compressed: names of HTTP's Content-Encoding and of `grpc-encoding`. `deflate` is zlib's format (RFC 1950). */
export type ContentEncoding = 'gzip' | 'deflate' | 'zstd';

/** What the running Node inflates; zstd is missing in 23.0 to 23.7. */
export const readableEncodings: readonly ContentEncoding[] =
  typeof zstdDecompress === 'function' ? ['gzip', 'deflate', 'zstd'] : ['gzip', 'deflate'];

/** A body that is not inflated. */
export class InflateError extends Error {
  override readonly name = 'InflateError';
  /** `busy`: too many bodies wait for a thread; the client may try again later. The others are final. */
  readonly reason: 'too_large' | 'corrupt' | 'busy';

  constructor(reason: InflateError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Inflates request bodies. One per receiver, since it bounds how many are inflated at once. */
export interface Inflater {
  /**
   * The inflated body, at most `maxBytes` of it. Small bodies come at once, large ones from zlib's threads. Throws or rejects
   * with InflateError: above the limit (nothing beyond it is inflated), truncated, a wrong checksum, bytes after the end. Members
   * of a gzip file after one another are read as one; zstd has one frame, with a window of at most 8 MiB (RFC 9659).
   */
  inflate(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): Uint8Array | Promise<Uint8Array>;
}

/** Bounds of an {@link Inflater}. */
export interface InflaterOptions {
  /** Most inflations in threads at once. Default 4: as many as libuv has, and what bounds their memory. */
  readonly concurrent?: number;
  /** Most bodies that wait for a thread; further ones are refused as `busy`. Default 256. */
  readonly waiting?: number;
}

/** Up to here inflating takes less time than handing over to a thread and back costs. */
const SYNC_INPUT_BYTES = 64 * 1024;
const SYNC_OUTPUT_BYTES = 256 * 1024;
const THREAD_CHUNK_BYTES = 256 * 1024;
const ZSTD_WINDOW_LOG = 23;

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

type Done = (error: Error | null, result: unknown) => void;

interface Codec {
  readonly sync: (body: Uint8Array, options: ZlibOptions) => unknown;
  readonly threaded: (body: Uint8Array, options: ZlibOptions, done: Done) => void;
}

const zstdParams: ZstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } };

const codecs: Readonly<Record<ContentEncoding, Codec>> = {
  gzip: { sync: gunzipSync, threaded: (...call) => gunzip(...call) },
  deflate: { sync: inflateSync, threaded: (...call) => inflate(...call) },
  zstd: {
    sync: (body, options) => zstdDecompressSync(body, zstdOptions(options)),
    threaded: (body, options, done) => zstdDecompress(body, zstdOptions(options), done),
  },
};

/** An inflater with its own bounds. */
export function createInflater({ concurrent = 4, waiting = 256 }: InflaterOptions = {}): Inflater {
  const queue: (() => void)[] = [];
  let running = 0;

  function next(): void {
    running--;
    queue.shift()?.();
  }

  function inThread(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        running++;
        const options = threadOptions(body, encoding, maxBytes);
        codecs[encoding].threaded(body, options, (error, result) => {
          next();
          try {
            resolve(whole(body, error, { encoding, maxBytes, result }));
          } catch (failure) {
            reject(failure);
          }
        });
      };
      if (running < concurrent) begin();
      else if (queue.length < waiting) queue.push(begin);
      else reject(new InflateError('busy', 'too many compressed bodies arrive at once'));
    });
  }

  return {
    inflate: (body, encoding, maxBytes) =>
      inflateSmall(body, encoding, maxBytes) ?? inThread(body, encoding, maxBytes),
  };
}

/**
 * Inflates a message at once, however large it is, and stops at the limit: a bomb costs no more than a message. Bytes after its
 * end are ignored. Throws InflateError.
 */
export function inflateNow(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): Buffer {
  // A buffer that suits the message: Node's 16 KiB cost more than a third of the time of a small one.
  const chunkSize = Math.min(Math.max(4 * body.length, 1024), 64 * 1024);
  try {
    return codecs[encoding].sync(body, { maxOutputLength: Math.max(maxBytes, 1), chunkSize }) as Buffer;
  } catch (error) {
    throw inflateError(error, encoding, maxBytes);
  }
}

/** Undefined when it is not small after all. */
function inflateSmall(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): Uint8Array | undefined {
  const hint = sizeHint(body, encoding);
  if (body.length > SYNC_INPUT_BYTES || hint > SYNC_OUTPUT_BYTES) return undefined;
  const limit = Math.min(maxBytes, SYNC_OUTPUT_BYTES);
  const options = { info: true, maxOutputLength: Math.max(limit, 1), chunkSize: hint + 64 };
  try {
    const result = codecs[encoding].sync(body, options);
    return whole(body, null, { encoding, maxBytes, result });
  } catch (error) {
    if (error instanceof InflateError) throw error;
    if (isTooLarge(error) && limit < maxBytes) return undefined;
    throw inflateError(error, encoding, maxBytes);
  }
}

function threadOptions(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): ZlibOptions {
  const expected = Math.min(sizeHint(body, encoding), maxBytes) + 64;
  const chunkSize = Math.max(expected, Math.min(THREAD_CHUNK_BYTES, maxBytes + 64));
  return { info: true, maxOutputLength: Math.max(maxBytes, 1), chunkSize };
}

/**
 * About how large it becomes, for a buffer that fits at the first attempt. gzip says so in its last four bytes (RFC 1952, ISIZE);
 * they may lie, so never less than the body itself, which bounds the number of buffers that a liar causes.
 */
function sizeHint(body: Uint8Array, encoding: ContentEncoding): number {
  if (encoding !== 'gzip' || body.length < 18) return Math.min(body.length * 8, SYNC_OUTPUT_BYTES);
  const tail = body.length - 4;
  const said = new DataView(body.buffer, body.byteOffset + tail, 4).getUint32(0, true);
  return Math.max(said, body.length);
}

interface Attempt {
  readonly encoding: ContentEncoding;
  readonly maxBytes: number;
  readonly result: unknown;
}

function whole(body: Uint8Array, error: Error | null, { encoding, maxBytes, result }: Attempt): Uint8Array {
  if (error !== null) throw inflateError(error, encoding, maxBytes);
  const { buffer, engine } = result as Inflated;
  if (buffer.length > maxBytes) throw tooLarge(maxBytes);
  if (engine.bytesWritten !== body.length) {
    throw new InflateError('corrupt', `the ${encoding} body has bytes after its end`);
  }
  // A view of a much larger buffer would keep all of it alive for as long as the export waits.
  return buffer.buffer.byteLength > 2 * buffer.length + 1024 ? new Uint8Array(buffer) : buffer;
}

function inflateError(error: unknown, encoding: ContentEncoding, maxBytes: number): InflateError {
  if (isTooLarge(error)) return tooLarge(maxBytes);
  const why = error instanceof Error ? error.message : String(error);
  return new InflateError('corrupt', `the body is not valid ${encoding}: ${why}`, error);
}

function tooLarge(maxBytes: number): InflateError {
  return new InflateError('too_large', `the inflated body is larger than ${maxBytes} bytes`);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function zstdOptions({ info, maxOutputLength, chunkSize }: ZlibOptions): ZstdOptions {
  return { ...zstdParams, info, maxOutputLength, chunkSize } as ZstdOptions;
}
