import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { ConversionError } from '../wire/conversion-error.ts';
import { releaseInput, setInput } from '../wire/input.ts';
import { pathTo } from '../wire/path-to.ts';
import { REFUSED } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { type Copy, createCopy, inOrder } from './in-order.ts';
import { OwnOutput, outputOver } from './own-output.ts';
import { createRun, type Output, type Run, UNORDERED, useTables } from './run.ts';
import type { Tables } from './tables.ts';
import { body } from './value.ts';
import type { WireToJson } from './wire-to-json.ts';

/** After a message had to be put in order, this number of messages is put in order at once. */
const ORDERED_CALLS = 64;

export interface ConverterOptions {
  readonly message: DescMessage;
  readonly registry: Registry | undefined;
  readonly tables: Tables;
}

/** Converts messages of one type, one after another. */
export class Converter implements WireToJson {
  readonly #options: ConverterOptions;
  readonly #own: OwnOutput;
  readonly #run: Run;
  #callers: { readonly bytes: Uint8Array; readonly output: Output } | undefined;
  #copy: Copy | undefined;
  #orderedCalls = 0;

  constructor(options: ConverterOptions) {
    const { tables } = options;
    this.#options = options;
    this.#own = new OwnOutput(tables.margin);
    this.#run = createRun(tables, this.#own.output);
  }

  convert(wire: Uint8Array): Uint8Array {
    const own = this.#own;
    own.begin(wire.length);
    let end = this.#attempt(wire, own.output, 0);
    while (end === -1) {
      if (!own.grow()) throw this.#error('JSON of more than 256 MiB');
      end = this.#attempt(wire, own.output, 0);
    }
    return own.end(end);
  }

  write(wire: Uint8Array, output: Uint8Array, at: number): number {
    if (this.#callers?.bytes !== output) this.#callers = { bytes: output, output: outputOver(output) };
    const end = this.#attempt(wire, this.#callers.output, at);
    return end === -1 ? this.#writeToTheEnd(wire, output, at) : end;
  }

  /** Handles a message that may fit although the room is too small for a whole step. */
  #writeToTheEnd(wire: Uint8Array, output: Uint8Array, at: number): number {
    const room = output.length - at;
    const own = this.#own;
    own.begin(0);
    if (room <= 0 || !own.reserve(room + this.#options.tables.margin)) return -1;
    const end = this.#attempt(wire, own.output, 0);
    if (end === -1 || end > room) return -1;
    output.set(own.output.bytes.subarray(0, end), at);
    return at + end;
  }

  /** Returns the position after the JSON, or -1 if there is no room. */
  #attempt(wire: Uint8Array, output: Output, at: number): number {
    if (this.#orderedCalls === 0) {
      try {
        return convert(this.#run, { tables: this.#options.tables, wire, output, at, ordered: false });
      } catch (thrown) {
        if (thrown === NO_ROOM) return -1;
        // parts of a message may be invalid although the whole is valid
        if (thrown !== UNORDERED && thrown !== REFUSED) throw thrown;
      }
    } else this.#orderedCalls--;
    return this.#attemptInOrder(wire, output, at);
  }

  #attemptInOrder(wire: Uint8Array, output: Output, at: number): number {
    const { tables } = this.#options;
    let bytes = wire;
    try {
      this.#copy ??= createCopy(this.#run);
      bytes = inOrder(this.#copy, tables, wire);
      const end = convert(this.#run, { tables, wire: bytes, output, at, ordered: true });
      if (this.#orderedCalls === 0) this.#orderedCalls = ORDERED_CALLS;
      return end;
    } catch (thrown) {
      if (thrown === NO_ROOM) return -1;
      if (thrown !== REFUSED) throw thrown;
      const { message: desc, registry } = this.#options;
      throw this.#error(this.#run.reason, pathTo({ desc, registry, bytes }, this.#run.at));
    }
  }

  #error(reason: string, path = ''): ConversionError {
    return new ConversionError({ messageType: this.#options.message.typeName, path, reason });
  }
}

/** A message to convert. */
interface Conversion {
  readonly tables: Tables;
  readonly wire: Uint8Array;
  readonly output: Output;
  /** Position of its JSON in the output. */
  readonly at: number;
  /** Whether the message has been put in order. */
  readonly ordered: boolean;
}

/** Converts one message and returns the position after its JSON. Throws NO_ROOM, UNORDERED or REFUSED. */
function convert(run: Run, { tables, wire, output, at, ordered }: Conversion): number {
  // pointers that did not change are not stored again, because each store costs the garbage collector
  if (run.tables !== tables) useTables(run, tables);
  if (run.view !== output.view) {
    run.out = output.bytes;
    run.view = output.view;
  }
  run.limit = output.bytes.length - tables.margin;
  run.ordered = ordered;
  setInput(run, wire);
  const { rootKind, rootSub } = tables;
  const q = body(run, rootKind, rootSub, 0, wire.length, at, 0);
  releaseInput(run);
  return q;
}
