import { ConversionError, createJsonToWire } from '@levada/protobuf-tables';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import type { SignalName } from '../model/signals.ts';
import { InvalidExport } from './check-export.ts';
import { bySignal, exportRules } from './export-rules.ts';

/** How text is looked at. */
export interface JsonOptions {
  /**
   * Whether an escape that is half of a surrogate pair makes the body invalid; U+FFFD stands for it otherwise. Some senders cut
   * text between the two. Default: true.
   */
  readonly strictText: boolean;
  /** Called with the number of AnyValues that were left empty because they are nested too deep, if there are any. */
  readonly onCut?: (values: number) => void;
}

/**
 * Reads an export request in OTLP/JSON and writes the same request in protobuf, ready to be checked. The result may be a view of
 * memory of the reader's own that the next call uses again. Throws InvalidExport with the place: the byte, and a JSON pointer.
 *
 * The body is one JSON object (RFC 8259) in UTF-8, as OTLP/JSON has it: lowerCamelCase names, ids in hexadecimal of either case,
 * enums as integers. Also accepted: enums by name, 64-bit integers as numbers, integers with a fraction of zeros or an
 * exponent, doubles in strings, either alphabet of base64. Other names are ignored with what they hold. null is an absent field,
 * and in a list of messages one without fields. An integer beyond the range of its field is refused, except a double of JavaScript,
 * whose SDK sends 1e+21 as an integer: that is a double where the schema has one beside it (intValue, asInt). Of a field that comes twice, or several of a oneof, the last one that is there counts.
 *
 * An AnyValue inside 64 others is left empty. In that, and in what is ignored, 10,000 arrays and objects may be inside each other.
 * Takes time in proportion to the body.
 */
export type JsonToExport = (signal: SignalName, json: Uint8Array, options?: JsonOptions) => Uint8Array;

/**
 * Makes a reader of OTLP/JSON. That takes time and memory for tables of the whole schema; keep it. Not shared between threads;
 * calls do not nest.
 */
export function createJsonToExport(schema: Pick<OtlpSchema, 'request'>): JsonToExport {
  const readerOf = createJsonToWire(exportRules(schema));
  const readers = bySignal((signal) => readerOf(schema.request(signal)));
  return (signal, json, options) => {
    try {
      return readers[signal](json, options);
    } catch (thrown) {
      if (!(thrown instanceof ConversionError)) throw thrown;
      const { at, path, reason } = thrown;
      const pointer = path === '' ? '' : ` ("${path}")`;
      throw new InvalidExport(`Invalid OTLP/JSON at byte ${at}${pointer}: ${reason}`);
    }
  };
}
