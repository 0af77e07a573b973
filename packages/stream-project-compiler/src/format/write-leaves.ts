import { moveBlockScalar, moveFlowScalar } from './scalar-lines.ts';
import { STEP, type YamlLeaf } from './yaml-leaf.ts';

interface Writer {
  readonly text: string;
  readonly comments: ReadonlyMap<number, number>;
  readonly parts: string[];
  /** Line ends at the end of what is written. */
  ends: number;
  /** How far the last line outside of brackets moved to the right. */
  shift: number;
  /** Blanks since the last piece on this line. */
  blanks: string;
  last: YamlLeaf | undefined;
  /** Of the last block scalar. */
  header: string;
}

/** The pieces as text: indented, one blank where blanks say nothing, one empty line at most, no blanks at ends of lines. */
export function writeLeaves(leaves: readonly YamlLeaf[], text: string): string {
  const writer: Writer = {
    text,
    comments: commentIndents(leaves, text),
    parts: [],
    ends: 2,
    shift: 0,
    blanks: '',
    last: undefined,
    header: '',
  };
  for (const leaf of leaves) writeLeaf(writer, leaf);
  const written = writer.parts.join('').replace(/\n+$/, '');
  return written === '' ? '' : `${written}\n`;
}

function writeLeaf(writer: Writer, leaf: YamlLeaf): void {
  if (leaf.source === '' || leaf.type === 'byte-order-mark') return;
  if (leaf.type === 'space') {
    writer.blanks += leaf.source;
    return;
  }
  if (leaf.type === 'newline') {
    endLine(writer);
    return;
  }
  if (leaf.type === 'block-scalar') {
    writeBlockScalar(writer, leaf);
    return;
  }
  if (leaf.type === 'block-scalar-header') writer.header = leaf.source;
  writer.parts.push(blanksBefore(writer, leaf), moveFlowScalar(leaf.source, leaf.indent));
  writer.ends = 0;
  writer.blanks = '';
  writer.last = leaf;
}

function endLine(writer: Writer): void {
  writer.blanks = '';
  if (writer.ends >= 2) return;
  writer.parts.push('\n');
  writer.ends += 1;
}

function writeBlockScalar(writer: Writer, leaf: YamlLeaf): void {
  const { indent, parent, source } = leaf;
  const newParent = indent - STEP;
  const moved = moveBlockScalar(source, { header: writer.header, parent, newParent, indent });
  if (moved === '') return;
  writer.parts.push(moved);
  const ends = /\n*$/.exec(moved)?.[0].length ?? 0;
  // What `+` keeps is text, and does not count as an empty line.
  writer.ends = writer.header.includes('+') ? Math.min(ends, 1) : ends;
  writer.blanks = '';
  writer.last = leaf;
}

function blanksBefore(writer: Writer, leaf: YamlLeaf): string {
  const column = columnOf(leaf.offset, writer.text);
  if (column === undefined) return betweenPieces(writer, leaf);
  if (leaf.flow) return ' '.repeat(Math.max(0, column + writer.shift));
  const indent = writer.comments.get(leaf.offset) ?? leaf.indent;
  if (leaf.type !== 'comment') writer.shift = indent - column;
  return ' '.repeat(indent);
}

function betweenPieces({ blanks, last }: Writer, leaf: YamlLeaf): string {
  if (blanks === '' || leaf.flow || leaf.type === 'comment') return blanks;
  // After the name of an alias the space is needed.
  if (leaf.type === 'map-value-ind' && last?.type !== 'alias') return '';
  return ' ';
}

interface BegunLine {
  /** Blanks before it, as written. */
  readonly column: number;
  /** Blanks before it when it is formatted. */
  readonly indent: number;
}

/**
 * Indentation of comments that have lines of their own, by their offset: that of what follows, unless the comment is indented
 * further, which makes it the end of what is above.
 */
function commentIndents(leaves: readonly YamlLeaf[], text: string): ReadonlyMap<number, number> {
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
function columnOf(offset: number, text: string): number | undefined {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  return start === 0 || text[start - 1] === '\n' ? offset - start : undefined;
}
