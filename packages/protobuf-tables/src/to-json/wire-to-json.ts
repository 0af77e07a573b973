import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { Converter } from './converter.ts';
import { tablesOf } from './tables-of.ts';

/** Options for the output. The defaults give canonical ProtoJSON with implicit defaults. */
export interface WireToJsonOptions {
  /** Write absent fields without presence as their default: 0, "", false, [], {}. Default: true. */
  readonly defaults?: boolean | undefined;
  /** Field names as in the .proto instead of lowerCamelCase. Default: false. */
  readonly protoNames?: boolean | undefined;
  /** Enums as numbers instead of names; NullValue stays null. Default: false. */
  readonly enumsAsIntegers?: boolean | undefined;
  /** 64-bit integers as numbers where a double holds them exactly (within 2^53 - 1), else as text. Default: false. */
  readonly safeIntegersAsNumbers?: boolean | undefined;
  /** Fields of type bytes, as `package.Message.field`, to be written in lower-case hexadecimal instead of base64. Default: none. */
  readonly hexFields?: ReadonlySet<string> | undefined;
  /**
   * How invalid UTF-8 in a string is handled: `reject` the message (default), or `replace` it with U+FFFD as TextDecoder does.
   * Strings that the schema does not validate (proto2) are always replaced.
   */
  readonly invalidUtf8?: 'reject' | 'replace' | undefined;
  /** Maximum nesting of messages, including groups, Any and Struct: 1 to 250, else a RangeError. Default: 100, as in Java and C++. */
  readonly maxDepth?: number | undefined;
  /** Resolves extensions and message types inside `google.protobuf.Any`. Default: none; Any is refused, extensions are dropped. */
  readonly registry?: Registry | undefined;
}

/** A converter for one message type. Not shared between threads; conversions do not nest. */
export interface WireToJson {
  /**
   * Returns the JSON of one message as UTF-8 bytes. They are valid until the next call on this converter, which reuses the
   * memory. The input is neither changed nor kept. Throws a ConversionError if the bytes are not a valid message.
   */
  convert(wire: Uint8Array): Uint8Array;
  /**
   * Writes the JSON of one message into `output` at `at`. Returns the position after it, or -1 if it did not fit; repeat the call
   * with more room then. Bytes before `at` are never changed, bytes after the JSON may be. Throws like {@link convert}. The last
   * output stays referenced until the next call.
   */
  write(wire: Uint8Array, output: Uint8Array, at: number): number;
}

/**
 * Creates a converter from a message descriptor. Creation takes time and memory for the type and all it refers to; reuse the
 * converter. Descriptors may come from users: nothing in them becomes code.
 */
export function wireToJson(message: DescMessage, options: WireToJsonOptions = {}): WireToJson {
  return new Converter({ message, registry: options.registry, tables: tablesOf(message, options) });
}
