import { freePlaces, PADDING, run } from './run.ts';

const FIRST_BYTES = 64 * 1024;
/** Inputs up to this size are copied to memory that stays. */
const KEPT_BYTES = 1024 * 1024;

interface Input {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/**
 * Where inputs are while they are converted. A copy costs less than views of each input would, keeps nobody's memory from
 * being freed, and gives the engine always the same kind of array.
 */
let kept = inputOf(FIRST_BYTES);

/** Makes `wire` the input of the conversion that follows; answers false if it is to be released behind it. */
export function setInput(wire: Uint8Array): boolean {
  const small = wire.length <= KEPT_BYTES;
  const input = small ? keptOf(wire.length) : inputOf(wire.length);
  input.bytes.set(wire);
  run.length = wire.length;
  if (run.src !== input.bytes) {
    run.src = input.bytes;
    run.from = input.view;
  }
  return small;
}

/** Lets a large input go, and what is as large. */
export function releaseInput(): void {
  freePlaces();
  run.src = kept.bytes;
  run.from = kept.view;
}

function keptOf(length: number): Input {
  if (length + PADDING > kept.bytes.length) kept = inputOf(Math.min(length * 2, KEPT_BYTES));
  return kept;
}

function inputOf(length: number): Input {
  const bytes = Buffer.allocUnsafeSlow(length + PADDING);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}
