import { ConversionError, createWireChecks } from '@levada/protobuf-tables';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import type { SignalName } from '../model/signals.ts';
import { bySignal, checkRules } from './export-rules.ts';
import type { PlainExports } from './plain-exports.ts';

/** What a structural check of an export request finds. */
export interface ExportCheck {
  /**
   * Spans, data points, log records or profiles. 0: there is nothing to record. Points of a metric that has them of two kinds
   * are all counted, though readers keep only those of the last kind.
   */
  readonly items: number;
  /** Most bytes that the request has as OTLP/JSON (camel case, without defaults). */
  readonly jsonBytes: number;
  /** AnyValues that were left empty because they are nested too deep. */
  readonly cutValues: number;
  /** The request as it may be converted: the same bytes, or a copy if values were left empty. */
  readonly request: Uint8Array;
}

/** How strings are looked at. */
export interface CheckOptions {
  /** Whether a string that is not UTF-8 makes the request invalid. False where the bytes are passed through. */
  readonly strictUtf8: boolean;
}

/**
 * An export request that is not valid: what is wrong, and where, e.g.
 * `resource_spans[0].scope_spans[1].spans[3].trace_id: 15 bytes, expected 16 or none`.
 */
export class InvalidExport extends Error {
  override readonly name = 'InvalidExport';
}

/**
 * Walks over the bytes of an export request without making anything of them: fields and lengths by the schema, UTF-8, lengths of
 * trace ids (16 or 0 bytes) and span ids (8 or 0), nesting of at most 100 groups of unknown fields. A field that comes with
 * another wire type than the schema's is unknown, as for protobuf's decoders, and unknown fields are passed over. An AnyValue
 * inside 64 others is left empty, whatever it has: one value does not cost the whole export. What passes can be converted to
 * JSON. Counts items. Throws InvalidExport. Takes time in proportion to the request, however it is nested.
 */
export type CheckExport = (signal: SignalName, request: Uint8Array, options: CheckOptions) => ExportCheck;

/**
 * Makes the check from the schema. What it returns is synchronous, and is to be kept: the tables are made once. `plain`: what it
 * takes needs no other check, and costs less although its JSON is made.
 */
export function createCheckExport(schema: Pick<OtlpSchema, 'request'>, plain?: PlainExports): CheckExport {
  const checkOf = createWireChecks(checkRules(schema));
  const checks = bySignal((signal) => checkOf(schema.request(signal)));
  return (signal, request, options) => {
    const converter = plain?.[signal];
    const length = converter?.convert(request) ?? -1;
    if (converter !== undefined && length !== -1)
      return { items: converter.items, jsonBytes: length, cutValues: 0, request };
    try {
      const { items, jsonBytes, cut, wire } = checks[signal](request, options);
      return { items, jsonBytes, cutValues: cut, request: wire };
    } catch (thrown) {
      if (!(thrown instanceof ConversionError)) throw thrown;
      const { path, reason } = thrown;
      throw new InvalidExport(path === '' ? reason : `${path}: ${reason}`);
    }
  };
}
