import type { Span } from '@levada/stream-sql';
import { originOf, type TextPiece } from '../text/text-map.ts';
import { blockPieces } from './block-pieces.ts';
import { flowPieces } from './flow-pieces.ts';
import type { LeafNode } from './typed-node.ts';
import type { YamlScalar } from './yaml-tree.ts';

/** From a span of a value to its span in the file. */
export type ScalarMap = (span: Span) => Span;

/**
 * Where the characters of a value stand in its file: through block indentation, folding, quotes and escapes, and through
 * replaced variables, which stand for their `${NAME}` as a whole. `text` is the text of the leaf's file. Work is done once, so
 * keep the map when many places are asked for.
 */
export function scalarMap(leaf: LeafNode, text: string): ScalarMap {
  const { pieces } = scalarPieces(leaf.scalar, text);
  const replaced = leaf.interpolated?.pieces;
  return (span) => originOf(pieces, replaced === undefined ? span : originOf(replaced, span));
}

/** A scalar's text and where it comes from; as a whole from the whole where that cannot be told. */
export function scalarPieces(
  scalar: YamlScalar,
  text: string,
): { readonly text: string; readonly pieces: readonly TextPiece[] } {
  const { span, style } = scalar;
  const value = typeof scalar.value === 'string' ? scalar.value : text.slice(span.start, span.end);
  const block = style === 'literal' || style === 'folded';
  const quoted = style === 'single' || style === 'double';
  const inner = quoted ? { start: span.start + 1, end: span.end - 1 } : span;
  const found = block ? blockPieces(text, span, value) : flowPieces(text, inner, style);
  if (found?.text === value && value !== '') return found;
  const { start, end } = span;
  return {
    text: value,
    pieces: [{ start: 0, length: value.length, from: start, fromLength: end - start, verbatim: false }],
  };
}
