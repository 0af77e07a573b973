import { isSpace } from './characters.ts';
import type { Scanner } from './scanner.ts';

// Sticky. Each part can end in one way only, so matching takes linear time. White space control (`{{-`, `-}}`) makes no
// difference to SQL.
const MACRO = /\{\{[-+]?\s*(source|ref)\s*\(\s*(?:"([^"'\n\r]*)"|'([^"'\n\r]*)')\s*\)\s*[-+]?\}\}/y;
const CALL = /\{\{[-+]?\s*([A-Za-z_][A-Za-z0-9_.]*)/y;

const EXPECTED = 'only {{ source("name") }} and {{ ref("name") }} were expected';

/** Whether a macro starts at this offset, or a template tag of other tools. */
export function startsTemplate(text: string, at: number): boolean {
  const next = text[at + 1];
  return text[at] === '{' && (next === '{' || next === '%' || next === '#');
}

/** Reads a macro that starts with `{{` or `{%` at `start`. Returns the offset after it. */
export function readTemplate(scanner: Scanner, start: number): number {
  const { text, tokens } = scanner;
  MACRO.lastIndex = start;
  const match = MACRO.exec(text);
  if (match === null) return readForeignTemplate(scanner, start);
  const [whole, macro, double, single] = match;
  const value = double ?? single ?? '';
  const end = start + whole.length;
  const nameStart = start + whole.search(/["']/) + 1;
  const nameEnd = nameStart + value.length;
  tokens.push({
    kind: 'macro',
    macro: macro === 'source' ? 'source' : 'ref',
    value,
    nameStart,
    nameEnd,
    start,
    end,
  });
  if (value === '' || value !== value.trim()) {
    scanner.report({
      code: 'sql-template',
      message: `macro "${macro}" with the name "${value}", a name without white space around it was expected`,
      start: nameStart - 1,
      end: nameEnd + 1,
    });
  }
  return end;
}

function readForeignTemplate(scanner: Scanner, start: number): number {
  const { text, tokens, report } = scanner;
  const close = text[start + 1] === '{' ? '}}' : '%}';
  const { end, closed } = endOfTemplate(text, start, close);
  tokens.push({ kind: 'invalid', value: text.slice(start, end), start, end });
  if (closed) {
    report({ code: 'sql-template', message: `${whatIsWrong(text, start)}, ${EXPECTED}`, start, end });
  } else {
    const message = `template without its "${close}" on the same line, ${EXPECTED}`;
    report({ code: 'sql-unterminated', message, start, end });
  }
  return end;
}

/** An open template ends at the next one, so that no part of the text is searched twice. */
function endOfTemplate(text: string, start: number, close: string): { end: number; closed: boolean } {
  let at = start + 2;
  for (; at < text.length; at++) {
    const character = text[at];
    if (character === '\n' || character === '\r' || startsTemplate(text, at)) break;
    if (text.startsWith(close, at)) return { end: at + 2, closed: true };
  }
  while (isSpace(text[at - 1])) at--;
  return { end: at, closed: false };
}

function whatIsWrong(text: string, start: number): string {
  if (text[start + 1] === '%') return 'template statement "{% %}"';
  CALL.lastIndex = start;
  const name = CALL.exec(text)?.[1];
  if (name === 'source' || name === 'ref') return `macro "${name}" without exactly one name in quotes`;
  return name === undefined ? 'template expression' : `template expression "${name}"`;
}
