import { WorkBudget } from './work-budget.ts';

/** One value of ASN.1 in BER or DER. */
export interface Der {
  /** The identifier octet: class, constructed, number. */
  readonly tag: number;
  /** With identifier and length. */
  readonly bytes: Buffer;
  /** Without them. Of a value of indefinite length, with the two octets that end it. */
  readonly content: Buffer;
  /** Empty for a primitive value. */
  readonly children: readonly Der[];
}

/** Deepest nesting that is read; a store has about ten levels. */
const MAX_DEPTH = 32;
const CONSTRUCTED = 0x20;

/**
 * Reads one value that fills `bytes`. Throws an Error when it is cut off, too deep, followed by something else, or has more values in it than the
 * budget allows.
 */
export function readDer(bytes: Buffer, budget = new WorkBudget()): Der {
  const value = readAt(bytes, { levels: MAX_DEPTH, budget });
  if (value.bytes.length !== bytes.length) throw new Error('bytes follow the end of an ASN.1 value');
  return value;
}

/** The child at `index`. Throws where there is none. */
export function childOf(value: Der | undefined, index: number): Der {
  const child = value?.children[index];
  if (child === undefined) throw new Error('an ASN.1 value has fewer parts than expected');
  return child;
}

/** The octets of an OCTET STRING, in one piece or, in BER, in several. */
export function octetsOf({ children, content, tag }: Der): Buffer {
  return (tag & CONSTRUCTED) === 0 ? content : Buffer.concat(children.map(octetsOf));
}

/** An OBJECT IDENTIFIER in dotted notation. */
export function oidOf({ content, tag }: Der): string {
  if (tag !== 0x06) throw new Error('an ASN.1 value is not an object identifier');
  const arcs: number[] = [];
  let arc = 0;
  for (const octet of content) {
    arc = arc * 128 + (octet & 0x7f);
    if (octet < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...rest].join('.');
}

/** An INTEGER from 0 to 2^48 - 1. */
export function integerOf({ content, tag }: Der): number {
  if (tag !== 0x02 || content.length === 0 || content.length > 6 || (content[0] ?? 0) > 0x7f) {
    throw new Error('an ASN.1 value is not a number that can be used here');
  }
  return content.readUIntBE(0, content.length);
}

interface Bounds {
  readonly levels: number;
  readonly budget: WorkBudget;
}

function readAt(bytes: Buffer, bounds: Bounds): Der {
  bounds.budget.spendValue();
  if (bounds.levels === 0) throw new Error(`ASN.1 values are nested more than ${MAX_DEPTH} deep`);
  const tag = bytes[0] ?? 0;
  const first = bytes[1];
  if (first === undefined || (tag & 0x1f) === 0x1f) throw new Error('an ASN.1 value is cut off or unknown');
  const constructed = (tag & CONSTRUCTED) !== 0;
  if (first === 0x80) {
    if (!constructed) throw new Error('an ASN.1 value has no length');
    return readIndefinite(bytes, enter(bounds));
  }
  const more = first < 0x80 ? 0 : first & 0x7f;
  if (more > 4 || bytes.length < 2 + more) throw new Error('an ASN.1 value has a length that cannot be used');
  const start = 2 + more;
  const end = start + (more === 0 ? first : bytes.readUIntBE(2, more));
  if (end > bytes.length) throw new Error('an ASN.1 value is cut off');
  const content = bytes.subarray(start, end);
  return {
    tag,
    bytes: bytes.subarray(0, end),
    content,
    children: constructed ? readAll(content, enter(bounds)) : [],
  };
}

function enter({ levels, budget }: Bounds): Bounds {
  return { levels: levels - 1, budget };
}

function readAll(content: Buffer, bounds: Bounds): readonly Der[] {
  const children: Der[] = [];
  for (let at = 0; at < content.length; ) {
    const child = readAt(content.subarray(at), bounds);
    children.push(child);
    at += child.bytes.length;
  }
  return children;
}

/** A value that ends with two zero octets, as browsers and BouncyCastle write stores. */
function readIndefinite(bytes: Buffer, bounds: Bounds): Der {
  const children: Der[] = [];
  let at = 2;
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) {
    const child = readAt(bytes.subarray(at), bounds);
    children.push(child);
    at += child.bytes.length;
  }
  return {
    tag: bytes[0] ?? 0,
    bytes: bytes.subarray(0, at + 2),
    content: bytes.subarray(2, at + 2),
    children,
  };
}
