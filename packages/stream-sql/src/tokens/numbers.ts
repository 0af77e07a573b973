import { isDigit } from './characters.ts';
import type { Scanner } from './scanner.ts';

/** Reads `1`, `1.5`, `.5`, `1.` or `1e-3`; answers the offset behind it. */
export function readNumber(scanner: Scanner, start: number): number {
  const { text, tokens } = scanner;
  let end = digitsEnd(text, start);
  let form: 'integer' | 'decimal' | 'approximate' = 'integer';
  if (text[end] === '.' && text[end + 1] !== '.') {
    form = 'decimal';
    end = digitsEnd(text, end + 1);
  }
  const exponent = exponentEnd(text, end);
  if (exponent !== undefined) {
    form = 'approximate';
    end = exponent;
  }
  tokens.push({ kind: 'number', form, value: text.slice(start, end), start, end });
  return end;
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text[end])) end++;
  return end;
}

function exponentEnd(text: string, at: number): number | undefined {
  if (text[at] !== 'e' && text[at] !== 'E') return undefined;
  const sign = text[at + 1] === '+' || text[at + 1] === '-' ? 1 : 0;
  return isDigit(text[at + 1 + sign]) ? digitsEnd(text, at + 1 + sign) : undefined;
}
