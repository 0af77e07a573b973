import type { Span } from '@levada/stream-sql';
import type { Parsed } from '../parse/definition.ts';
import { type ScalarMap, scalarMap } from '../parse/scalar-map.ts';
import type { LeafNode, TypedNode } from '../parse/typed-node.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';

/** From a span of a value's text to its place in the file. */
export type RangeOf = (span: Span) => TextRange;

/** Where pieces of a value's text stand in its file. */
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
