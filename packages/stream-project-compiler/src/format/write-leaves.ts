import { columnOf, commentIndents } from './comment-indents.ts';
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
  // Behind the name of an alias the blank is needed.
  if (leaf.type === 'map-value-ind' && last?.type !== 'alias') return '';
  return ' ';
}
