import type { ModelSql } from '../../resolve/model-sql.ts';
import { scalarPieces } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { positionAt } from '../../text/source-file.ts';
import { originOf } from '../../text/text-map.ts';
import type { SourceLine } from '../job.ts';
import type { QueryText } from './query-text.ts';

/** Where lines of a query are in the project; `before` is what comes before it in its statement. */
export function sourceLines(
  { definition }: ResolvedModel,
  sql: ModelSql,
  { text, pieces, before }: QueryText & { readonly before: string },
): readonly SourceLine[] {
  const { file } = definition;
  const origins = scalarPieces(sql.leaf.scalar, file.text).pieces;
  let origin = 0;
  /** Where the piece of the file ends that an offset is in: from there on, columns differ by another number. */
  const endOfOrigin = (offset: number) => {
    for (; origin < origins.length - 1; origin += 1) {
      const { start = 0, length = 0 } = origins[origin] ?? {};
      if (offset < start + length) return start + length;
    }
    return Number.POSITIVE_INFINITY;
  };
  const found: SourceLine[] = [];
  let line = before.split('\n').length;
  let lineStart = before.lastIndexOf('\n') + 1 - before.length;
  let seen = 0;
  const moveTo = (offset: number) => {
    for (let at = text.indexOf('\n', seen); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
      line += 1;
      lineStart = at + 1;
    }
    seen = offset;
  };
  for (const { at, from } of pieces) {
    for (let start = from.start; start < from.end; ) {
      const place = at + start - from.start;
      moveTo(place);
      const next = text.indexOf('\n', place);
      const rest = at + from.end - from.start - place;
      const length = Math.min(rest, next < 0 ? rest : next - place, endOfOrigin(start) - start);
      const span = originOf(origins, { start, end: start + Math.max(1, length) });
      if (text.slice(place, place + length).trim() !== '') {
        found.push({ line, column: place - lineStart + 1, length, from: positionAt(file, span.start) });
      }
      // After the end of a line, or where another piece of the file begins
      start += next === place + length ? length + 1 : Math.max(1, length);
    }
  }
  return found;
}
