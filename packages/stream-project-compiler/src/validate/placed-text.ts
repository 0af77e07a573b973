import type { Parsed } from '../parse/definition.ts';
import { textAt } from '../parse/known-value.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';
import { shown } from './shown-value.ts';

/** A text of a file, and where it stands. */
export interface PlacedText {
  readonly value: string;
  /** As it may be shown. */
  readonly shown: string;
  /** Keys from the top of the file: `runtime.engine.default`. */
  readonly path: string;
  /** Computed when asked for: most texts are right. */
  readonly range: TextRange;
}

/** The text below a section or a definition; undefined where there is none, or none that is right. */
export function placedText(section: Parsed<unknown> | undefined, path: string): PlacedText | undefined {
  if (section === undefined) return undefined;
  const node = textAt(section.node, path);
  if (node === undefined) return undefined;
  return {
    value: node.value,
    shown: shown(node),
    path: `${section.path}.${path}`,
    get range() {
      return rangeAt(section.file, node.span);
    },
  };
}
