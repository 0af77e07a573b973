import { Composer, type Document } from 'yaml';
import { type Suppression, suppressionIn } from '../diagnostics/suppression.ts';
import { rangeAt, type SourceFile } from '../text/source-file.ts';
import { convertYaml } from './convert-yaml.ts';
import type { ParseReport } from './parse-report.ts';
import { readYamlTokens, type YamlTokens } from './read-yaml-tokens.ts';
import { errorsToReport, yamlErrorSpan, yamlErrorText } from './yaml-errors.ts';
import type { YamlNode } from './yaml-tree.ts';

/** What a file says as YAML. */
export interface ParsedYaml {
  /** Undefined for an empty file, and for one that cannot be read. */
  readonly tree: YamlNode | undefined;
  /** The file could be read; if not, that was reported. */
  readonly readable: boolean;
  /** How many keys, values and signs it has; 0 for a file that is not read. */
  readonly count: number;
  readonly suppressions: readonly Suppression[];
  /** All of the file is in the tree. */
  readonly whole: boolean;
}

interface ComposedFile extends Pick<ParsedYaml, 'count' | 'suppressions' | 'whole'> {
  readonly document: Document | undefined;
}

/**
 * Reads a file as one document of YAML 1.2. Time grows with the size of the file, not faster; depth, number of values and
 * what aliases stand for are bounded. Never throws for what the file says.
 */
export function parseYaml(file: SourceFile, report: ParseReport): ParsedYaml {
  const found = composeFile(file, report);
  if (found === undefined)
    return { tree: undefined, readable: false, count: 0, suppressions: [], whole: false };
  const { document, ...facts } = found;
  if (document === undefined) return { tree: undefined, readable: true, ...facts };
  const { errors, readable } = errorsToReport(document.errors);
  for (const error of errors) {
    const { message, hint } = yamlErrorText(error, file.text);
    report.add('yaml-syntax', { span: yamlErrorSpan(error, file.text), message, hint });
  }
  const contents = readable && document.contents !== null ? document.contents : undefined;
  const tree = contents === undefined ? undefined : convertYaml(contents, file.text, report);
  return { tree, readable, ...facts };
}

/** Its tokens end with this call: they take as much memory as all that follows. */
function composeFile(file: SourceFile, report: ParseReport): ComposedFile | undefined {
  const found = readYamlTokens(file.text, report);
  if (found === undefined) return undefined;
  const suppressions = found.comments.flatMap((span) => {
    const suppression = suppressionIn(file.text.slice(span.start, span.end), rangeAt(file, span));
    return suppression === undefined ? [] : [suppression];
  });
  const { count, whole, tokens } = found;
  return { count, whole, suppressions, document: compose(tokens, file.text.length) };
}

/** A file may hold hundreds of thousands of errors, each an object with a stack that nobody reads: half of the time and memory. */
function compose(tokens: YamlTokens['tokens'], length: number): Document | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    // Its own search for duplicate keys takes time that grows with the square of their number.
    const composer = new Composer({
      uniqueKeys: false,
      merge: false,
      logLevel: 'silent',
      prettyErrors: false,
    });
    const [document] = [...composer.compose(tokens, false, length)];
    return document;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
