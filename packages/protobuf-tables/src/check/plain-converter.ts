import type { DescMessage } from '@bufbuild/protobuf';
import { putRareDouble } from '../text/doubles.ts';
import { wasm } from './gen/wasm.ts';
import { buildPlainTables, type PlainTables } from './plain-tables.ts';
import type { CheckRules } from './tables.ts';

/** Maximum size of a message, and of its JSON. Larger ones are not plain. */
const MAX_INPUT = 512 * 1024;
const MAX_OUTPUT = 1536 * 1024;
/** Bytes after the input and the output that a step may read and write. */
const INPUT_ROOM = 64;
const OUTPUT_ROOM = 512;
const PAGE_BYTES = 65_536;

/** The part of WebAssembly used here. Node's types lack it. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

/** Exports of the module; see assembly/plain.ts. */
interface PlainExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  begin(): number;
  items(): number;
  convert(root: number, from: number, to: number, q: number, last: number, nested: number): number;
}

/** Converts messages of one type, one after another. */
export interface PlainConverter {
  /** Counted messages in the last conversion. */
  readonly items: number;
  /**
   * Checks the message, counts its items and writes its JSON. Returns the size of the JSON in bytes, or -1 if the message is not
   * plain: fields in order of number, each at most once, list values adjacent, everything valid and short enough. After -1, use
   * {@link createWireChecks} and {@link wireToJson}.
   */
  convert(wire: Uint8Array): number;
  /** Copies the JSON of the last message to `output` at `at`. `output` must have room. */
  copy(output: Uint8Array, at: number): void;
}

/**
 * Creates converters in WebAssembly for the message types of the rules. They check and convert in one walk, two to six times as
 * fast as both steps, for messages as encoders usually write them. The JSON is that of `wireToJson` without defaults, with enums
 * as integers and the ids of the rules in hexadecimal. Returns undefined if WebAssembly is not available, or if the schema has
 * maps, groups, floats, closed enums or well-known types. Creation takes up to 3 MB of memory and reserves 8 GB of addresses (V8
 * does so for each module); reuse them.
 */
export function createPlainConverters(
  rules: CheckRules,
): ((message: DescMessage) => PlainConverter) | undefined {
  const engine = (globalThis as { readonly WebAssembly?: Engine }).WebAssembly;
  const started = engine && ifPossible(() => start(engine));
  const tables = started && buildPlainTables(rules, started.base);
  const memory = tables && ifPossible(() => layMemory(started, tables));
  if (tables === undefined || memory === undefined) return undefined;
  return (message) => {
    const root = tables.starts.get(message);
    if (root === undefined) throw new RangeError(`${message.typeName} is not a message of the rules`);
    return new PlainWalk(memory, { root, levels: rules.nested.levels });
  };
}

/** The module and its memory, with views that are valid for its current size. */
interface Started {
  readonly exports: PlainExports;
  /** Address of the first table. */
  readonly base: number;
  readonly memory: { bytes: Uint8Array; view: DataView };
}

/** Undefined if the module may not run or memory is short. The interpreters convert then, only slower. */
function ifPossible<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    // the process decides what compiles and finds memory; the interpreters need neither
    return undefined;
  }
}

function start({ Module, Instance }: Engine): Started {
  const memory = { bytes: new Uint8Array(), view: new DataView(new ArrayBuffer()) };
  const rareDouble = (value: number, q: number): number => putRareDouble(memory.bytes, memory.view, value, q);
  const instance = new Instance(new Module(Buffer.from(wasm.join(''), 'base64')), {
    numbers: { rareDouble },
  });
  const exports = instance.exports as PlainExports;
  return { exports, base: exports.begin(), memory };
}

/** Memory that all converters of a module share. They convert one message at a time. */
interface Memory {
  readonly exports: PlainExports;
  readonly bytes: Uint8Array;
  /** Addresses. */
  readonly input: number;
  readonly output: number;
}

function layMemory({ exports, base, memory }: Started, tables: PlainTables): Memory {
  const input = base + tables.bytes.length;
  const output = input + MAX_INPUT + INPUT_ROOM;
  const pages = Math.ceil((output + MAX_OUTPUT + OUTPUT_ROOM) / PAGE_BYTES);
  exports.memory.grow(pages - exports.memory.buffer.byteLength / PAGE_BYTES);
  memory.bytes = new Uint8Array(exports.memory.buffer);
  memory.view = new DataView(exports.memory.buffer);
  memory.bytes.set(tables.bytes, base);
  return { exports, bytes: memory.bytes, input, output };
}

class PlainWalk implements PlainConverter {
  readonly #memory: Memory;
  readonly #root: number;
  readonly #levels: number;
  #length = 0;

  constructor(memory: Memory, { root, levels }: { readonly root: number; readonly levels: number }) {
    this.#memory = memory;
    this.#root = root;
    this.#levels = levels;
  }

  get items(): number {
    return this.#memory.exports.items();
  }

  convert(wire: Uint8Array): number {
    if (wire.length > MAX_INPUT) return -1;
    const { exports, bytes, input, output } = this.#memory;
    bytes.set(wire, input);
    const to = input + wire.length;
    const end = exports.convert(this.#root, input, to, output, output + MAX_OUTPUT, this.#levels);
    this.#length = end - output;
    return end === -1 ? -1 : this.#length;
  }

  copy(target: Uint8Array, at: number): void {
    const { bytes, output } = this.#memory;
    target.set(bytes.subarray(output, output + this.#length), at);
  }
}
