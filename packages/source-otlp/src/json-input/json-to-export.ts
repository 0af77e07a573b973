import type { SignalName } from '../signals.ts';

/**
 * Reads an export request in OTLP/JSON and writes the same request in protobuf, ready to be checked. The result may be a view of
 * memory of the reader's own that the next call uses again. Throws InvalidExport with the place: a JSON pointer, or the byte.
 */
export type JsonToExport = (signal: SignalName, json: Uint8Array) => Uint8Array;
