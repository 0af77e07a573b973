import type { YamlNode } from '../yaml-tree.ts';
import { readBlockMap } from './simple-block.ts';
import { cursorAt, END, toContent } from './simple-cursor.ts';

/** What a simple file says, just as the library would have it. */
export interface SimpleYaml {
  readonly tree: YamlNode;
  /** As many keys, values and signs as the library's lexer would make, or a few more. */
  readonly count: number;
}

/** Tabs, CR, control characters, a mark of byte order. */
const unusual = /[^\n -~\u00A0-\uFEFE\uFF00-\uFFFD]/;

/**
 * Reads a file in the YAML that nearly all files of projects are written in, in a tenth of the library's time: maps and lists
 * by indentation, lists and maps on one line, plain and quoted texts on one line, texts after "|" and ">". Undefined for all
 * else, right or wrong, such as anchors, tags, escapes, duplicate keys, missing values and mistakes; the library reads that
 * and has the messages. What it takes, it reads as the library does, with the same places.
 */
export function readSimpleYaml(text: string): SimpleYaml | undefined {
  if (!text.endsWith('\n') || unusual.test(text)) return undefined;
  const cursor = cursorAt(text, text.startsWith('---\n') ? 4 : 0);
  const tree = toContent(cursor) && cursor.lineStart === cursor.at ? readBlockMap(cursor, 0) : undefined;
  return tree === undefined || cursor.indent !== END ? undefined : { tree, count: cursor.count };
}
