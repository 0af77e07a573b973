import { type DescMessage, fromBinary, type Registry, toJsonString } from '@bufbuild/protobuf';
import { ConversionError } from './conversion-error.ts';
import { convert } from './interpreter/convert.ts';
import { NO_ROOM, REFUSED, run, UNORDERED } from './interpreter/run.ts';
import { buildTables } from './interpreter/tables.ts';
import { makePlan } from './plan/plan.ts';

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
  const {
    defaults = true,
    protoNames = false,
    enumsAsIntegers = false,
    safeIntegersAsNumbers = false,
  } = options;
  const { hexFields = new Set(), invalidUtf8 = 'reject', registry } = options;
  const replaceInvalidUtf8 = invalidUtf8 === 'replace';
  const plan = makePlan(message, {
    defaults,
    protoNames,
    enumsAsIntegers,
    safeIntegersAsNumbers,
    hexFields,
    replaceInvalidUtf8,
    registry,
  });
  const tables = buildTables(plan, safeIntegersAsNumbers);
  let own = Buffer.allocUnsafeSlow(4096 + tables.margin);
  let ownView = viewOf(own);
  let other = own;
  let otherView = ownView;

  const slowly = (wire: Uint8Array): Uint8Array =>
    Buffer.from(
      toJsonString(message, fromBinary(message, wire), {
        alwaysEmitImplicit: defaults,
        useProtoFieldName: protoNames,
        enumAsInteger: enumsAsIntegers,
        ...(registry === undefined ? {} : { registry }),
      }),
    );
  const failed = (thrown: unknown): ConversionError =>
    new ConversionError(
      message.typeName,
      thrown === REFUSED ? run.reason : thrown instanceof Error ? thrown.message : String(thrown),
    );
  const attempt = (wire: Uint8Array): Uint8Array => {
    for (;;) {
      try {
        return own.subarray(0, convert(tables, wire, own, ownView, 0));
      } catch (thrown) {
        if (thrown === UNORDERED) return slowly(wire);
        if (thrown !== NO_ROOM) throw thrown;
        own = Buffer.allocUnsafeSlow(own.length * 2);
        ownView = viewOf(own);
      }
    }
  };
  const toJson = (wire: Uint8Array): Uint8Array => {
    try {
      return attempt(wire);
    } catch (thrown) {
      throw failed(thrown);
    }
  };
  return {
    convert: toJson,
    write: (wire, output, at) => {
      if (other.buffer !== output.buffer || other.byteOffset !== output.byteOffset) {
        other = Buffer.from(output.buffer as ArrayBuffer, output.byteOffset, output.length);
        otherView = viewOf(other);
      }
      try {
        return convert(tables, wire, other, otherView, at);
      } catch {
        // seldom: not in order, no room for a whole step, or not valid
      }
      const bytes = toJson(wire);
      if (at + bytes.length > output.length) return -1;
      output.set(bytes, at);
      return at + bytes.length;
    },
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
