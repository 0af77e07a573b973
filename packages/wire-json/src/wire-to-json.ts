import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { Converter } from './converter.ts';
import { tablesOf } from './tables-of.ts';

/** How messages are written. The defaults give canonical ProtoJSON with implicit defaults included. */
export interface WireToJsonOptions {
  /** Write absent fields without presence as their default: 0, "", false, [], {}. Default: true. */
  readonly defaults?: boolean;
  /** Field names as in the .proto instead of lowerCamelCase. Default: false. */
  readonly protoNames?: boolean;
  /** Enums as numbers instead of names. Default: false. */
  readonly enumsAsIntegers?: boolean;
  /** 64-bit integers as numbers where a double holds them exactly (within 2^53 - 1), else as text. Default: false. */
  readonly safeIntegersAsNumbers?: boolean;
  /** Fields of type bytes, as `package.Message.field`, that are written in lower-case hexadecimal instead of base64. */
  readonly hexFields?: ReadonlySet<string>;
  /** What invalid UTF-8 in a string does: `reject` the message (default), or `replace` with U+FFFD as TextDecoder does. */
  readonly invalidUtf8?: 'reject' | 'replace';
  /** Where the message types inside `google.protobuf.Any` are found. Without it an Any cannot be converted. */
  readonly registry?: Registry;
}

/** A converter for one message type. Not shared between threads; conversions do not nest. */
export interface WireToJson {
  /**
   * The JSON of one message as UTF-8 bytes. They are valid until the next call on this converter. Throws a
   * ConversionError when the bytes are not a valid message.
   */
  convert(wire: Uint8Array): Uint8Array;
  /**
   * Writes the JSON of one message into `output` from `at` on. Returns the position behind it, or -1 when it did not fit:
   * then nothing before `at` was touched, and the call can be repeated with more room. Throws like {@link convert}.
   */
  write(wire: Uint8Array, output: Uint8Array, at: number): number;
}

/** Makes a converter from a message's descriptor. */
export function wireToJson(message: DescMessage, options: WireToJsonOptions = {}): WireToJson {
  return new Converter(message.typeName, tablesOf(message, options));
}
