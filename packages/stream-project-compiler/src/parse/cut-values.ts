import type { Span } from '@levada/stream-sql';
import type { YamlEntry, YamlMap } from './yaml-tree.ts';

/** A value that commas cut in pieces: `{type: DECIMAL(12, 2)}` has the keys `type` and `2)`. */
export interface CutValue {
  readonly span: Span;
  /** The key whose value it is, and those that are the rest of it. */
  readonly entry: YamlEntry;
  readonly rest: readonly YamlEntry[];
}

/** Values of a map on one line that lack their quotes: a parenthesis is opened in one, and closed in a key behind it. */
export function cutValues({ entries }: YamlMap): readonly CutValue[] {
  if (!entries.some(isRest)) return [];
  const found: CutValue[] = [];
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at];
    let open = entry === undefined ? 0 : openIn(entry);
    if (entry === undefined || open <= 0) continue;
    const rest: YamlEntry[] = [];
    for (let next = entries[at + 1]; open > 0 && next !== undefined; next = entries[at + 1 + rest.length]) {
      if (!isEmpty(next)) break;
      rest.push(next);
      open += balance(next.key);
    }
    const last = rest.at(-1);
    if (open !== 0 || last === undefined) continue;
    found.push({ entry, rest, span: { start: entry.value.span.start, end: last.keySpan.end } });
    at += rest.length;
  }
  return found;
}

function isRest(entry: YamlEntry): boolean {
  return isEmpty(entry) && /[)>]/.test(entry.key);
}

function isEmpty({ value }: YamlEntry): boolean {
  return value.kind === 'scalar' && value.value === null && value.span.start === value.span.end;
}

function openIn({ value }: YamlEntry): number {
  return value.kind === 'scalar' && value.style === 'plain' && typeof value.value === 'string'
    ? balance(value.value)
    : 0;
}

/** How many parentheses and angle brackets are open at the end. */
function balance(text: string): number {
  return text.replaceAll(/[^(<]/g, '').length - text.replaceAll(/[^)>]/g, '').length;
}
