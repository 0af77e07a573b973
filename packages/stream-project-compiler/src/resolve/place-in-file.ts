import type { Span } from '@levada/stream-sql';
import type { Parsed } from '../parse/definition.ts';
import type { LeafNode, TypedNode } from '../parse/typed-node.ts';
import type { YamlScalar } from '../parse/yaml-tree.ts';
import type { TextRange } from '../text/range.ts';
import { blockPieces, flowPieces } from '../text/scalar-pieces.ts';
import { rangeAt } from '../text/source-file.ts';
import { originOf, type TextPiece } from '../text/text-map.ts';

/** From a span of a value's text to its place in the file. */
export type RangeOf = (span: Span) => TextRange;

/** Where parts of a value's text are in its file. */
export interface ValuePlaces {
  readonly rangeOf: RangeOf;
  /** What is written there: variables instead of what they were replaced by. */
  readonly writtenAt: (span: Span) => string;
}

/** Places within a value. Most are never asked for, so the map of the value is made at the first call. */
export function valuePlaces({ file }: Parsed<unknown>, leaf: LeafNode): ValuePlaces {
  let map: ReturnType<typeof scalarMap> | undefined;
  const spanOf: ScalarMap = (span) => {
    map ??= scalarMap(leaf, file.text);
    return map(span);
  };
  return {
    rangeOf: (span) => rangeAt(file, spanOf(span)),
    writtenAt: (span) => {
      const { start, end } = spanOf(span);
      return file.text.slice(start, end);
    },
  };
}

/** The value as it may be shown: what a variable was replaced by is not. */
export function shownText(node: TypedNode | undefined, text: string): string {
  if (node?.kind !== 'leaf') return text;
  if (node.secret === true) return '***';
  return isReplaced(node) ? String(node.scalar.value) : text;
}

/** Whether variables are part of a value. */
export function isReplaced({ interpolated }: LeafNode): boolean {
  return interpolated !== undefined && interpolated.variables.length > 0;
}

/** From a span of a value to its span in the file. */
type ScalarMap = (span: Span) => Span;

/**
 * Where the characters of a value are in its file: through block indentation, folding, quotes and escapes, and through
 * replaced variables, which count as their `${NAME}` as a whole. `text` is the text of the leaf's file. The work is done once, so
 * keep the map when many places are needed.
 */
export function scalarMap(leaf: LeafNode, text: string): ScalarMap {
  const { pieces } = scalarPieces(leaf.scalar, text);
  const replaced = leaf.interpolated?.pieces;
  return (span) => originOf(pieces, replaced === undefined ? span : originOf(replaced, span));
}

/** A scalar's text and where it comes from; the whole text maps to the whole scalar where that cannot be determined. */
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
