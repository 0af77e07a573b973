import { isUtf8 } from 'node:buffer';
import { type DescMessage, fromBinary, type JsonValue, type Registry, toJson } from '@bufbuild/protobuf';
import { type WireToJson, type WireToJsonOptions, wireToJson } from '../src/index.ts';
import { expectedJson } from './expected-json.ts';
import { mismatch } from './match-json.ts';

export type Options = Omit<WireToJsonOptions, 'registry'>;

/** Describes how our JSON of a message differs from that of `@bufbuild/protobuf`; undefined if it does not. */
export type Check = (wire: Uint8Array<ArrayBuffer>) => string | undefined;

/** Prepares a message for `@bufbuild/protobuf`. Throws to refuse it. */
type Read = (wire: Uint8Array<ArrayBuffer>) => Uint8Array;

/** A check of one type under one set of options. It uses one converter for all messages, even after errors. */
export function equalityCheck(
  desc: DescMessage,
  registry: Registry,
  options: Options,
  read: Read = (wire) => wire,
): Check {
  const converter = wireToJson(desc, { ...options, registry });
  const oracle = oracleOf(desc, registry, options, read);
  let placement = 0;
  return (wire) => {
    placement = (placement + 1) % 12;
    const input = placement % 3 === 0 ? wire : embed(wire, placement);
    const value = oracle(wire);
    const text = attempt(() => textOf(converter.convert(input)));
    if (value instanceof Error || text instanceof Error) return refusal(value, text);
    const exact = JSON.stringify(value);
    if (text !== exact || options.safeIntegersAsNumbers === true || options.hexFields !== undefined) {
      const problem = mismatch(text, expectedJson(desc, value, { ...options, registry }));
      if (problem !== undefined) return `${problem}\nexpected ${exact}\ngot      ${text}`;
    }
    if (placement < 8) return undefined;
    const problem = attempt(() => writeProblem(converter, input, Buffer.from(text)));
    return problem instanceof Error ? `write() threw where convert() did not: ${problem.stack}` : problem;
  };
}

function oracleOf(
  desc: DescMessage,
  registry: Registry,
  options: Options,
  read: Read,
): (wire: Uint8Array<ArrayBuffer>) => JsonValue | Error {
  const json = {
    registry,
    alwaysEmitImplicit: options.defaults ?? true,
    useProtoFieldName: options.protoNames ?? false,
    enumAsInteger: options.enumsAsIntegers ?? false,
  };
  return (wire) => attempt(() => toJson(desc, fromBinary(desc, read(wire)), json));
}

/** The result of some work, or the error it threw. */
export function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new TypeError('the output is not UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** The same bytes between others, as in a chunk of a stream. */
function embed(wire: Uint8Array, placement: number): Uint8Array<ArrayBuffer> {
  const around = new Uint8Array(wire.length + 2 * placement + 5).fill(placement < 6 ? 0xff : 0x0a);
  around.set(wire, placement);
  return around.subarray(placement, placement + wire.length);
}

/** Describes a wrong refusal, if at least one of the two refused. */
function refusal(value: JsonValue | Error, text: string | Error): string | undefined {
  if (!(value instanceof Error)) return `refused: ${String(text)}\nexpected ${JSON.stringify(value)}`;
  if (!(text instanceof Error)) return `not refused as "${value.message}"\ngot ${text}`;
  return isConversionError(text) ? undefined : `refused with another error: ${text.stack}`;
}

/** Whether the error is the documented one. */
export function isConversionError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConversionError';
}

function writeProblem(converter: WireToJson, wire: Uint8Array, expected: Buffer): string | undefined {
  const at = 3;
  const short = new Uint8Array(at + expected.length - 1).fill(0xee);
  if (converter.write(wire, short, at) !== -1) return 'write() found room that does not exist';
  if (!intact(short, at)) return 'write() changed bytes before its position';
  for (let room = expected.length; room < expected.length * 16 + 65_536; room = room * 2 + 64) {
    const output = new Uint8Array(at + room).fill(0xee);
    const end = converter.write(wire, output, at);
    if (!intact(output, at)) return 'write() changed bytes before its position';
    if (end === -1) continue;
    const same = end === at + expected.length && expected.equals(output.subarray(at, end));
    return same
      ? undefined
      : `write() differs: ${Buffer.from(output.subarray(at, Math.max(at, end))).toString()}`;
  }
  return 'write() found no room';
}

function intact(output: Uint8Array, at: number): boolean {
  return output.subarray(0, at).every((byte) => byte === 0xee);
}
