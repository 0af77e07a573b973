import type { Span } from '@levada/stream-sql';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { rangeAt, type SourceFile } from '../text/source-file.ts';
import { parseCodes } from './parse-codes.ts';

/** What a finding within one file says. */
export interface FileFinding {
  readonly span: Span;
  readonly message: string;
  readonly path?: string;
  readonly object?: string;
  readonly hint?: string | undefined;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
}

/** Takes the findings of one file. */
export interface ParseReport {
  readonly diagnostics: Diagnostic[];
  readonly add: (name: keyof typeof parseCodes, finding: FileFinding) => void;
  /** Nothing more is taken, so there is no need to work out hints. */
  readonly isFull: () => boolean;
}

/** More are not worth reading. */
const MAX_FINDINGS = 500;

/** A list of findings that ends with `too-many-findings`. */
export function createParseReport(file: SourceFile): ParseReport {
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    isFull: () => diagnostics.length > MAX_FINDINGS,
    add: (name, { span, related = [], ...finding }) => {
      if (diagnostics.length > MAX_FINDINGS) return;
      const range = rangeAt(file, span);
      if (diagnostics.length === MAX_FINDINGS) {
        const message = `the file has more than ${MAX_FINDINGS} findings, the rest is not reported`;
        diagnostics.push(diagnose(parseCodes['too-many-findings'], { message, range }));
        return;
      }
      const places = related.map((other) => ({ message: other.message, range: rangeAt(file, other.span) }));
      diagnostics.push(diagnose(parseCodes[name], { ...finding, range, related: places }));
    },
  };
}
