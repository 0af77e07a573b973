import type { YamlLeaf } from './yaml-leaf.ts';

interface BegunLine {
  /** Blanks before it, as written. */
  readonly column: number;
  /** Blanks before it when it is formatted. */
  readonly indent: number;
}

/**
 * Blanks before comments that have lines of their own, by their offset: those of what follows, unless the comment stands further
 * in, which makes it the end of what is above.
 */
export function commentIndents(leaves: readonly YamlLeaf[], text: string): ReadonlyMap<number, number> {
  const indents = new Map<number, number>();
  const above: BegunLine[] = [];
  let waiting: YamlLeaf[] = [];
  const settle = (next: BegunLine): void => {
    for (const { offset } of waiting) {
      const column = columnOf(offset, text) ?? 0;
      const before = above.findLast((line) => line.column <= column);
      indents.set(offset, column <= next.column ? next.indent : (before ?? next).indent);
    }
    waiting = [];
  };
  for (const leaf of leaves) {
    if (leaf.flow || leaf.type === 'space' || leaf.type === 'newline') continue;
    const column = columnOf(leaf.offset, text);
    if (column === undefined) continue;
    if (leaf.type === 'comment') {
      waiting.push(leaf);
      continue;
    }
    const line = { column, indent: leaf.indent };
    settle(line);
    while ((above.at(-1)?.column ?? -1) >= column) above.pop();
    above.push(line);
  }
  settle({ column: -1, indent: 0 });
  return indents;
}

/** Blanks before a piece that begins a line; undefined for any other. Looks at nothing but those blanks. */
export function columnOf(offset: number, text: string): number | undefined {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  return start === 0 || text[start - 1] === '\n' ? offset - start : undefined;
}
