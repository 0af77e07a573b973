import { ConnectorError } from '../diagnostics/connector-error.ts';

/** One logical line: continuation lines joined, comments and blank lines left out. */
interface LogicalLine {
  readonly text: string;
  /** Number of its first physical line, from 1. */
  readonly number: number;
}

/** One entry of a properties file. */
export interface PropertyEntry {
  readonly key: string;
  readonly value: string;
  /** Line in which the entry begins, from 1. */
  readonly line: number;
}

/**
 * The entries of a file in Java's properties format: `=`, `:` or blanks after the key, `#` and `!` comments, a backslash at
 * the end to continue in the next line, the escapes `\t \n \r \f \uXXXX`. Later entries win. Takes linear time; bound the
 * text before. Throws `config_invalid`, naming the line and none of its content.
 */
export function parseProperties(text: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const { key, value } of propertyEntries(text)) entries.set(key, value);
  return entries;
}

/** As {@link parseProperties}, but every entry in the order of the file, also those that a later one overrides. */
export function* propertyEntries(text: string): Generator<PropertyEntry> {
  for (const { text: line, number } of logicalLines(text)) {
    const keyEnd = endOfKey(line);
    const key = withoutEscapes(line.slice(0, keyEnd), number);
    yield { key, value: withoutEscapes(line.slice(startOfValue(line, keyEnd)), number), line: number };
  }
}

function* logicalLines(text: string): Generator<LogicalLine> {
  let parts: string[] = [];
  let number = 0;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const content = line.slice(skipBlanks(line, 0));
    // As long as a logical line holds nothing, what follows a continuation may still be a comment.
    if (parts.length === 0) {
      if (content.startsWith('#') || content.startsWith('!')) continue;
      number = index + 1;
    }
    const continued = endsWithBackslash(content);
    const part = continued ? content.slice(0, -1) : content;
    if (part !== '') parts.push(part);
    if (continued || parts.length === 0) continue;
    yield { text: parts.join(''), number };
    parts = [];
  }
  if (parts.length > 0) yield { text: parts.join(''), number };
}

/** True for an odd number of backslashes at the end: an even number escapes itself. */
function endsWithBackslash(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}

function endOfKey(line: string): number {
  let at = 0;
  while (at < line.length && !isSeparator(line[at]) && !isBlank(line[at])) at += line[at] === '\\' ? 2 : 1;
  return Math.min(at, line.length);
}

function startOfValue(line: string, keyEnd: number): number {
  const at = skipBlanks(line, keyEnd);
  return isSeparator(line[at]) ? skipBlanks(line, at + 1) : at;
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (isBlank(line[at])) at += 1;
  return at;
}

function isSeparator(character: string | undefined): boolean {
  return character === '=' || character === ':';
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\f';
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f'],
]);

function withoutEscapes(text: string, line: number): string {
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|(.)|$)/gs, (_match, code?: string, character?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (character === 'u') {
      throw new ConnectorError('config_invalid', `line ${line}: Malformed \\uxxxx encoding.`);
    }
    return character === undefined ? '' : (escapes.get(character) ?? character);
  });
}
