/** An expected JSON text, with the freedom that ProtoJSON allows. */
export type Expected =
  /** Exactly these characters. */
  | string
  /** A number; a negative zero may be written as `0` or `-0`. */
  | { readonly kind: 'double'; readonly value: number }
  /** A number that reads back as this float: digits beyond it do not matter. */
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'list'; readonly items: readonly Expected[] }
  /** Fields of a message, or entries of a map. Keys are unescaped. */
  | { readonly kind: 'fields' | 'map'; readonly entries: ReadonlyMap<string, Expected> };

/** Allowed order of the keys of objects. */
export type KeyOrder =
  /** As in `entries`, except that map entries and fields whose names JavaScript sorts (1, 42 ...) may be anywhere. */
  | 'given'
  /** In any order. */
  | 'any';

/** Describes where `text` differs from what is expected; undefined if it does not. Extra characters are a difference. */
export function mismatch(text: string, expected: Expected, order: KeyOrder = 'given'): string | undefined {
  const cursor: Cursor = { text, at: 0, order };
  const problem = compare(cursor, expected);
  if (problem !== undefined) return `at character ${cursor.at}, ${problem}`;
  return cursor.at === text.length ? undefined : `at character ${cursor.at}, more text than expected`;
}

interface Cursor {
  readonly text: string;
  at: number;
  readonly order: KeyOrder;
}

function compare(cursor: Cursor, expected: Expected): string | undefined {
  if (typeof expected === 'string') return literal(cursor, expected);
  switch (expected.kind) {
    case 'double':
    case 'float':
      return number(cursor, expected);
    case 'list':
      return list(cursor, expected.items);
    case 'fields':
      return object(cursor, expected.entries, sortsItself);
    case 'map':
      return object(cursor, expected.entries, () => true);
  }
}

function literal(cursor: Cursor, expected: string): string | undefined {
  if (!cursor.text.startsWith(expected, cursor.at)) return `expected ${expected}`;
  cursor.at += expected.length;
  return undefined;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function number(
  cursor: Cursor,
  { kind, value }: { kind: 'double' | 'float'; value: number },
): string | undefined {
  NUMBER.lastIndex = cursor.at;
  const token = NUMBER.exec(cursor.text)?.[0];
  const wanted = `expected the ${kind} ${Object.is(value, -0) ? '-0' : value}`;
  if (token === undefined) return wanted;
  if (value === 0) {
    if (token !== '0' && !(token === '-0' && Object.is(value, -0))) return wanted;
  } else if (kind === 'float' ? Math.fround(Number(token)) !== value : token !== String(value)) return wanted;
  cursor.at += token.length;
  return undefined;
}

function list(cursor: Cursor, items: readonly Expected[]): string | undefined {
  let problem = literal(cursor, '[');
  for (const [index, item] of items.entries()) {
    if (index > 0) problem ??= literal(cursor, ',');
    problem ??= compare(cursor, item);
  }
  return problem ?? literal(cursor, ']');
}

function object(
  cursor: Cursor,
  entries: ReadonlyMap<string, Expected>,
  free: (key: string) => boolean,
): string | undefined {
  const problem = literal(cursor, '{');
  if (problem !== undefined) return problem;
  const ordered = [...entries.keys()].filter((key) => !free(key));
  const seen = new Set<string>();
  for (let next = 0; seen.size < entries.size; ) {
    if (seen.size > 0 && cursor.text[cursor.at] !== ',')
      return `expected "," and ${entries.size - seen.size} more`;
    if (seen.size > 0) cursor.at += 1;
    const key = readKey(cursor);
    const expected = key === undefined ? undefined : entries.get(key);
    if (key === undefined || expected === undefined || seen.has(key))
      return `got the key ${JSON.stringify(key)}`;
    if (cursor.order === 'given' && !free(key)) {
      if (ordered[next] !== key)
        return `expected the key ${JSON.stringify(ordered[next])} before ${JSON.stringify(key)}`;
      next += 1;
    }
    seen.add(key);
    const inner = literal(cursor, ':') ?? compare(cursor, expected);
    if (inner !== undefined) return inner;
  }
  return literal(cursor, '}');
}

/** JavaScript's objects put array indexes first. */
function sortsItself(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 4294967295;
}

/** The key at the cursor. It must be written exactly as JSON.stringify does. */
function readKey(cursor: Cursor): string | undefined {
  const match = /"(?:[^"\\]|\\.)*"/y;
  match.lastIndex = cursor.at;
  const token = match.exec(cursor.text)?.[0];
  if (token === undefined) return undefined;
  const key = tryParse(token);
  if (key === undefined || JSON.stringify(key) !== token) return undefined;
  cursor.at += token.length;
  return key;
}

function tryParse(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined; // not JSON, so it cannot match
  }
}
