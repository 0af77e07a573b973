import type { Span } from '@levada/stream-sql';
import type { Parsed } from '../parse/definition.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';
import type { ExplainedPlace } from './model-explanation.ts';

/** Where a range begins. */
export function placeAt({ file, start }: TextRange): ExplainedPlace {
  return { file, line: start.line, column: start.column };
}

/** Where a span of a definition begins. */
export function placeIn({ file }: Parsed<unknown>, span: Span): ExplainedPlace {
  return placeAt(rangeAt(file, span));
}

/** A value as it may be shown; undefined when it is absent, wrong, or no text, number or boolean. */
export function shownValue(node: TypedNode | undefined): string | number | boolean | undefined {
  if (node?.known !== true || node.kind !== 'leaf') return undefined;
  const { value } = node;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const shown = shownText(node, String(value));
  return shown === String(value) ? value : shown;
}

/** As {@link shownValue}, in words. */
export function shownWords(node: TypedNode | undefined): string | undefined {
  const value = shownValue(node);
  return value === undefined ? undefined : String(value);
}
