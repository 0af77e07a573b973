import type { DescMessage } from '@bufbuild/protobuf';
import { putRareDouble } from '../text/doubles.ts';
import { wasm } from './gen/wasm.ts';
import { buildPlainTables, type PlainTables } from './plain-tables.ts';
import type { CheckRules } from './tables.ts';

/** Longest message that is converted, and longest JSON of one. */
const MAX_INPUT = 512 * 1024;
const MAX_OUTPUT = 1536 * 1024;
/** Room after the input and the output: a step may read and write so much more. */
const INPUT_ROOM = 64;
const OUTPUT_ROOM = 512;
const PAGE_BYTES = 65_536;

/** WebAssembly, as far as it is used here; the types of Node do not have it. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

/** What the module offers; see assembly/plain.ts. */
interface PlainExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  begin(): number;
  items(): number;
  convert(root: number, from: number, to: number, q: number, last: number, nested: number): number;
}

/** Converts messages of one type, one after the other. */
export interface PlainConverter {
  /** Messages in the last one that are counted. */
  readonly items: number;
  /**
   * Checks the message, counts its items and writes its JSON. Answers the bytes of the JSON, or -1 when it is not plain: fields
   * in order of number, each at most once, the values of a list next to each other, everything valid, none too long. Then nothing
   * is known of it, and {@link createWireChecks} and {@link wireToJson} say more.
   */
  convert(wire: Uint8Array): number;
  /** Copies the JSON of the last message to `output` from `at` on, where there must be room. */
  copy(output: Uint8Array, at: number): void;
}

/**
 * Makes converters of messages of the types of the rules, in WebAssembly: check and conversion in one walk, two to six times as fast as both, for
 * the messages that encoders usually write. The JSON is that of `wireToJson` without defaults, with enums as integers and the
 * ids of the rules in hexadecimal. Undefined: there is no WebAssembly here, or the schema has maps, groups, floats, closed enums or
 * well-known types. Making them takes up to 3 MB of memory, and 8 GB of addresses, which V8 reserves for each module; keep them.
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

/** The module, and memory with the views of it that are valid once it has its size. */
interface Started {
  readonly exports: PlainExports;
  /** Where tables begin. */
  readonly base: number;
  readonly memory: { bytes: Uint8Array; view: DataView };
}

/** Undefined where the module may not run, or memory is short. Others convert then, so that nothing is lost but speed. */
function ifPossible<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    // what compiles, and what finds memory for it, is up to the process; the interpreters need neither
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

/** What all converters of a module share: they convert one message at a time. */
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
