import type { Span } from '../text/span.ts';
import type { ReportSql } from '../text/sql-diagnostic.ts';
import type { Token } from './token.ts';

/** State that the readers of single tokens share. */
export interface Scanner {
  readonly text: string;
  readonly tokens: Token[];
  readonly comments: Span[];
  readonly report: ReportSql;
}

/** End of the line that contains `at`: before its line break, or at the end of the text. */
export function endOfLine(text: string, at: number): number {
  for (let end = at; end < text.length; end++) {
    const character = text[end];
    if (character === '\n' || character === '\r') return end;
  }
  return text.length;
}
