import { readFileSync } from 'node:fs';

/** The lines of a file beside the tests, each a JSON value. */
export function jsonRows<T>(path: string): T[] {
  return lines(path).map((line) => JSON.parse(line) as T);
}

/** The cells of a file beside the tests; lines that start with `#` are notes. */
export function cells(path: string): string[][] {
  return lines(path)
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split('\t'));
}

function lines(path: string): string[] {
  const text = readFileSync(new URL(path, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line.trim() !== '');
}
