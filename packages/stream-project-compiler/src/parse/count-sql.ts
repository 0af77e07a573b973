import type { Definition } from './definition.ts';
import type { TypedNode } from './typed-node.ts';
import type { YamlScalar } from './yaml-tree.ts';

/**
 * How many words and signs the SQL of definitions has, of models and of tests; a text that stands in several places counts at
 * each. Comments and strings count too: this bounds what is kept, and takes less time than reading them.
 */
export function countSql(definitions: readonly Definition[]): number {
  let count = 0;
  // A hundred thousand aliases may stand for one long text.
  const counts = new Map<YamlScalar, number>();
  const waiting: TypedNode[] = definitions.map(({ node }) => node);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'list') for (const item of node.items) waiting.push(item);
    if (node.kind !== 'object') continue;
    for (const [key, entry] of node.entries) {
      const { node: value } = entry;
      if (value.kind !== 'leaf') waiting.push(value);
      else if (key === 'sql' && typeof value.value === 'string') {
        const known = counts.get(value.scalar) ?? wordsAndSigns(value.value);
        counts.set(value.scalar, known);
        count += known;
      }
    }
  }
  return count;
}

function wordsAndSigns(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const word = isWord(code);
    if (code > SPACE && !(word && inWord)) count += 1;
    inWord = word;
  }
  return count;
}

const SPACE = 0x20;

/** Letters, digits, "_", and whatever is not ASCII. */
function isWord(code: number): boolean {
  if (code >= 0x80 || code === 0x5f) return true;
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
