import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { Converter } from './converter.ts';
import { tablesOf } from './tables-of.ts';

/** How messages are written. The defaults give canonical ProtoJSON with implicit defaults included. */
export interface WireToJsonOptions {
  /** Write absent fields without presence as their default: 0, "", false, [], {}. Default: true. */
  readonly defaults?: boolean | undefined;
  /** Field names as in the .proto instead of lowerCamelCase. Default: false. */
  readonly protoNames?: boolean | undefined;
  /** Enums as numbers instead of names; NullValue stays null. Default: false. */
  readonly enumsAsIntegers?: boolean | undefined;
  /** 64-bit integers as numbers where a double holds them exactly (within 2^53 - 1), else as text. Default: false. */
  readonly safeIntegersAsNumbers?: boolean | undefined;
  /** Fields of type bytes, as `package.Message.field`, that are written in lower-case hexadecimal instead of base64. */
  readonly hexFields?: ReadonlySet<string> | undefined;
  /**
   * What invalid UTF-8 in a string does: `reject` the message (default), or `replace` with U+FFFD as TextDecoder does. Strings
   * that the schema does not want checked (proto2) are always replaced.
   */
  readonly invalidUtf8?: 'reject' | 'replace' | undefined;
  /**
   * How many messages may be inside each other, groups, Any and Struct included, 1 to 250 (else a RangeError). Default: 100, as
   * in Java and C++.
   */
  readonly maxDepth?: number | undefined;
  /** Where message types inside `google.protobuf.Any` and extensions are found. Without it Any is refused, extensions dropped. */
  readonly registry?: Registry | undefined;
}

/** A converter for one message type. Not shared between threads; conversions do not nest. */
export interface WireToJson {
  /**
   * The JSON of one message as UTF-8 bytes. They are valid until the next call on this converter, which writes into the
   * same memory. The input is not changed, and not kept. Throws a ConversionError when the bytes are not a valid message.
   */
  convert(wire: Uint8Array): Uint8Array;
  /**
   * Writes the JSON of one message into `output` from `at` on. Returns the position after it, or -1 when it did not fit:
   * then the call can be repeated with more room. Nothing before `at` is touched; what is after the JSON may be. Throws
   * like {@link convert}. The last output stays referenced until the next call.
   */
  write(wire: Uint8Array, output: Uint8Array, at: number): number;
}

/**
 * Makes a converter from a message's descriptor. That takes time and memory once for the type and all it refers to; keep the
 * converter. Descriptors may come from users: nothing in them becomes code.
 */
export function wireToJson(message: DescMessage, options: WireToJsonOptions = {}): WireToJson {
  return new Converter({ message, registry: options.registry, tables: tablesOf(message, options) });
}
