import { OutputArena } from '@levada/connect-runtime-core/source-kit';
import { type WireToJson, wireToJson } from '@levada/protobuf-tables';
import type { LiveSettings } from '../config/live-settings.ts';
import { MAX_DEPTH } from '../export/export-rules.ts';
import type { PlainExports } from '../export/plain-exports.ts';
import { hexFields } from '../model/hex-fields.ts';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import type { RecordForm } from '../model/queued-export.ts';
import type { SignalName } from '../model/signals.ts';

/** Room of a block of values; a larger value gets its own memory. */
const BLOCK_BYTES = 1024 * 1024;
/** A guess at how much longer JSON is than the request. */
const JSON_FACTOR = 4;

type Encoding = RecordForm['encoding'];
type JsonStyle = 'otlp_json' | 'legacy_json';

/** A request that may become the value of a record. */
export interface Candidate {
  readonly signal: SignalName;
  readonly part: Uint8Array;
  readonly settings: Pick<LiveSettings, 'form' | 'maxRecordBytes'>;
}

/** Writes the values of records: requests as JSON or base64, in memory that is used again once a batch is settled. */
export class RecordValues {
  readonly #schema: OtlpSchema;
  readonly #plain: PlainExports | undefined;
  readonly #arena = new OutputArena(BLOCK_BYTES);
  readonly #converters: Readonly<Record<JsonStyle, Map<SignalName, WireToJson>>> = {
    otlp_json: new Map(),
    legacy_json: new Map(),
  };

  /** `plain`: for requests as encoders usually write them. Undefined: that is not possible here. */
  constructor(schema: OtlpSchema, plain: PlainExports | undefined) {
    this.#schema = schema;
    this.#plain = plain;
  }

  /** Whether the request is small enough to become one record. */
  isSmallEnough({ signal, part, settings }: Candidate): boolean {
    const { encoding } = settings.form;
    return this.#length(signal, part, encoding) <= settings.maxRecordBytes;
  }

  /** The value of a record. Bytes are valid until their batch is settled. Throws a ConversionError. */
  value(signal: SignalName, request: Uint8Array, encoding: Encoding): Uint8Array {
    if (encoding === 'otlp_proto') return request;
    if (encoding === 'base64') return this.#base64(request);
    const quickly = encoding === 'otlp_json' ? this.#plainValue(signal, request) : undefined;
    if (quickly !== undefined) return quickly;
    const converter = this.#converter(signal, encoding);
    const written = this.#arena.write(
      (output, at) => converter.write(request, output, at),
      request.length * JSON_FACTOR,
    );
    return written ?? Buffer.from(converter.convert(request));
  }

  /** Ends a batch: what was written for it stays until it is given back. */
  take(): readonly Uint8Array[] {
    return this.#arena.take();
  }

  /** Reuses the memory of a batch whose values are not used any more. */
  giveBack(blocks: readonly Uint8Array[]): void {
    this.#arena.giveBack(blocks);
  }

  #base64(request: Uint8Array): Uint8Array {
    const text = Buffer.from(request.buffer, request.byteOffset, request.length).toString('base64');
    const write = (output: Uint8Array, at: number): number => {
      if (at + text.length > output.length) return -1;
      return at + (output as Buffer).write(text, at, 'latin1');
    };
    return this.#arena.write(write, text.length) ?? Buffer.from(text, 'latin1');
  }

  #plainValue(signal: SignalName, request: Uint8Array): Uint8Array | undefined {
    const converter = this.#plain?.[signal];
    const length = converter?.convert(request) ?? -1;
    if (converter === undefined || length === -1) return undefined;
    const write = (output: Uint8Array, at: number): number => {
      if (at + length > output.length) return -1;
      converter.copy(output, at);
      return at + length;
    };
    const written = this.#arena.write(write, length);
    if (written !== undefined) return written;
    const own = Buffer.allocUnsafeSlow(length);
    converter.copy(own, 0);
    return own;
  }

  #length(signal: SignalName, part: Uint8Array, encoding: Encoding): number {
    if (encoding === 'otlp_proto') return part.length;
    if (encoding === 'base64') return Math.ceil(part.length / 3) * 4;
    return this.#converter(signal, encoding).convert(part).length;
  }

  #converter(signal: SignalName, style: JsonStyle): WireToJson {
    const known = this.#converters[style].get(signal);
    if (known !== undefined) return known;
    const hex = style === 'otlp_json' ? hexFields(this.#schema) : new Set<string>();
    const made = wireToJson(this.#schema.request(signal), {
      ...styles[style],
      hexFields: hex,
      maxDepth: MAX_DEPTH,
    });
    this.#converters[style].set(signal, made);
    return made;
  }
}

const styles = {
  otlp_json: { defaults: false, enumsAsIntegers: true, invalidUtf8: 'replace' },
  legacy_json: { defaults: true, protoNames: true, invalidUtf8: 'replace' },
} as const;
