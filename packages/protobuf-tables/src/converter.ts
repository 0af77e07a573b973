import { ConversionError } from './conversion-error.ts';
import { OwnOutput, outputOver } from './own-output.ts';
import { convert, type Manner, type Output } from './to-json/convert.ts';
import { NO_ROOM, REFUSED, run, UNORDERED } from './to-json/run.ts';
import type { Tables } from './to-json/tables.ts';
import type { WireToJson } from './wire-to-json.ts';

const QUICK: Manner = { careful: false, path: undefined };
const CAREFUL: Manner = { careful: true, path: undefined };
/** For how many messages nothing is tried quickly, after one that had its parts out of order. */
const CAREFUL_CALLS = 64;

/** Converts messages of one type, one after the other. */
export class Converter implements WireToJson {
  readonly #messageType: string;
  readonly #tables: Tables;
  readonly #own: OwnOutput;
  #callers: { readonly bytes: Uint8Array; readonly output: Output } | undefined;
  #carefulCalls = 0;

  constructor(messageType: string, tables: Tables) {
    this.#messageType = messageType;
    this.#tables = tables;
    this.#own = new OwnOutput(tables.margin);
  }

  convert(wire: Uint8Array): Uint8Array {
    const own = this.#own;
    own.begin(wire.length);
    let end = this.#attempt(wire, own.output, 0);
    while (end === -1) {
      this.#grow();
      end = this.#attempt(wire, own.output, 0);
    }
    return own.end(end);
  }

  write(wire: Uint8Array, output: Uint8Array, at: number): number {
    if (this.#callers?.bytes !== output) this.#callers = { bytes: output, output: outputOver(output) };
    const end = this.#attempt(wire, this.#callers.output, at);
    return end === -1 ? this.#writeToTheEnd(wire, output, at) : end;
  }

  /** There was no room for a whole step more: the message may fit all the same. */
  #writeToTheEnd(wire: Uint8Array, output: Uint8Array, at: number): number {
    const room = output.length - at;
    const own = this.#own;
    own.begin(0);
    if (room <= 0 || !own.reserve(room + this.#tables.margin)) return -1;
    const end = this.#attempt(wire, own.output, 0);
    if (end === -1 || end > room) return -1;
    output.set(own.output.bytes.subarray(0, end), at);
    return at + end;
  }

  /** Answers the position behind the JSON, or -1 if there is no room. */
  #attempt(wire: Uint8Array, output: Output, at: number): number {
    try {
      if (this.#carefulCalls === 0) return convert(this.#tables, wire, output, at, QUICK);
    } catch (thrown) {
      if (thrown === NO_ROOM) return -1;
      // of a message in several parts each may be wrong, and the whole right
      if (thrown === REFUSED) this.#explain(wire);
      else if (thrown !== UNORDERED) throw thrown;
      this.#carefulCalls = CAREFUL_CALLS;
    }
    return this.#attemptCarefully(wire, output, at);
  }

  #attemptCarefully(wire: Uint8Array, output: Output, at: number): number {
    try {
      this.#carefulCalls--;
      return convert(this.#tables, wire, output, at, CAREFUL);
    } catch (thrown) {
      if (thrown === NO_ROOM) return -1;
      if (thrown === REFUSED) this.#explain(wire);
      throw thrown;
    }
  }

  #grow(): void {
    if (!this.#own.grow()) throw this.#error('JSON of more than 256 MiB');
  }

  /** Converts once more, slowly, to say in an error where the message is wrong; returns if it is not. */
  #explain(wire: Uint8Array): void {
    const path: string[] = [];
    for (;;) {
      try {
        convert(this.#tables, wire, this.#own.output, 0, { careful: true, path });
        return;
      } catch (thrown) {
        if (thrown === REFUSED) throw this.#error(run.reason, path.join('').replace(/^\./, ''));
        if (thrown !== NO_ROOM) throw thrown;
        path.length = 0;
        this.#grow();
      }
    }
  }

  #error(reason: string, path = ''): ConversionError {
    return new ConversionError({ messageType: this.#messageType, path, reason });
  }
}
