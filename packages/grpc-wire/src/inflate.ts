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

/** Compression of a body, as named by HTTP's Content-Encoding and `grpc-encoding`. `deflate` is the zlib format (RFC 1950). */
export type ContentEncoding = 'gzip' | 'deflate' | 'zstd';

/** Encodings that the running Node can inflate. zstd is missing in 23.0 to 23.7. */
export const readableEncodings: readonly ContentEncoding[] =
  typeof zstdDecompress === 'function' ? ['gzip', 'deflate', 'zstd'] : ['gzip', 'deflate'];

/** A body that cannot be inflated. */
export class InflateError extends Error {
  override readonly name = 'InflateError';
  /** `busy`: too many bodies wait for a thread; the client may try again later. The other reasons are final. */
  readonly reason: 'too_large' | 'corrupt' | 'busy';

  constructor(reason: InflateError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Inflates request bodies. Create one per receiver: it limits how many bodies are inflated at once. */
export interface Inflater {
  /**
   * The inflated body, up to `maxBytes`. Small bodies are returned synchronously, large ones from zlib's threads. Throws or
   * rejects with an InflateError: above the limit (nothing beyond it is inflated), truncated, wrong checksum, bytes after the
   * end. Consecutive gzip members are one body. zstd must be one frame with a window of at most 8 MiB (RFC 9659).
   */
  inflate(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): Uint8Array | Promise<Uint8Array>;
}

/** Limits of an {@link Inflater}. */
export interface InflaterOptions {
  /** Maximum number of inflations in threads at once. Default 4, the number of libuv's threads. Also limits their memory. */
  readonly concurrent?: number;
  /** Maximum number of bodies that wait for a thread. Others are refused as `busy`. Default 256. */
  readonly waiting?: number;
}

/** Up to this size inflating takes less time than using a thread. */
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
            resolve(finishInflate(body, error, { encoding, maxBytes, result }));
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
 * Inflates a message of any size synchronously and stops at the limit: a bomb costs the same as a message. Ignores bytes after
 * the end. Throws an InflateError.
 */
export function inflateNow(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): Buffer {
  // A buffer that fits the message. Node's 16 KiB take more than a third of the time of a small one.
  const chunkSize = Math.min(Math.max(4 * body.length, 1024), 64 * 1024);
  try {
    return codecs[encoding].sync(body, { maxOutputLength: Math.max(maxBytes, 1), chunkSize }) as Buffer;
  } catch (error) {
    throw inflateError(error, encoding, maxBytes);
  }
}

/** Undefined if the result is not small. */
function inflateSmall(body: Uint8Array, encoding: ContentEncoding, maxBytes: number): Uint8Array | undefined {
  const hint = sizeHint(body, encoding);
  if (body.length > SYNC_INPUT_BYTES || hint > SYNC_OUTPUT_BYTES) return undefined;
  const limit = Math.min(maxBytes, SYNC_OUTPUT_BYTES);
  const options = { info: true, maxOutputLength: Math.max(limit, 1), chunkSize: hint + 64 };
  try {
    const result = codecs[encoding].sync(body, options);
    return finishInflate(body, null, { encoding, maxBytes, result });
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
 * Estimates the inflated size for a buffer that fits at the first attempt. gzip has it in its last four bytes (RFC 1952, ISIZE).
 * They may lie, so the estimate is at least the size of the body, which limits the number of buffers.
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

function finishInflate(
  body: Uint8Array,
  error: Error | null,
  { encoding, maxBytes, result }: Attempt,
): Uint8Array {
  if (error !== null) throw inflateError(error, encoding, maxBytes);
  const { buffer, engine } = result as Inflated;
  if (buffer.length > maxBytes) throw tooLarge(maxBytes);
  if (engine.bytesWritten !== body.length) {
    throw new InflateError('corrupt', `the ${encoding} body has bytes after its end`);
  }
  // A view of a much larger buffer would keep all of it alive while the export waits
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
