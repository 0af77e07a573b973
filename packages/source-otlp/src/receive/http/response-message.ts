import { type SignalName, signals } from '../../model/signals.ts';
import type { BodyForm } from '../admission/export-intake.ts';

/** `partial_success` of an export's response. */
export interface PartialSuccess {
  readonly rejected: number;
  readonly message: string;
}

/** Export{Trace,Metrics,Logs,Profiles}ServiceResponse; the four have the same fields, numbered alike. */
export function partialSuccessBody(form: BodyForm, signal: SignalName, partial: PartialSuccess): Buffer {
  const { rejected, message } = partial;
  if (form === 'protobuf') {
    return lengthDelimited(
      1,
      Buffer.concat([varintField(1, rejected), lengthDelimited(2, Buffer.from(message))]),
    );
  }
  const count = rejected === 0 ? {} : { [signals[signal].rejected]: String(rejected) };
  return Buffer.from(JSON.stringify({ partialSuccess: { ...count, errorMessage: message } }));
}

/** google.rpc.Status without details. */
export function statusBody(form: BodyForm, code: number, message: string): Buffer {
  if (form === 'json') return Buffer.from(JSON.stringify({ code, message }));
  return Buffer.concat([varintField(1, code), lengthDelimited(2, Buffer.from(message))]);
}

/** Nothing for 0, as proto3 has it. */
function varintField(number: number, value: number): Buffer {
  return value === 0 ? Buffer.alloc(0) : Buffer.from([number << 3, ...varint(value)]);
}

function lengthDelimited(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes]);
}

/** Of an integer from 0 to 2^53 - 1. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}
