import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** Of the file that it is; empty for others. */
  readonly path: string;
  readonly text: string;
  /** Why no test runs it: what `<!-- not run: reason -->` before it says. */
  readonly notRun?: string;
}

const fenced = /(?:^ *<!-- not run: ([^>]+) -->\n\n?)?^( *)```(\w+)(?: (\S+))?\n([\s\S]*?)^\2```$/gm;

/** The fenced blocks of a page, in order; those in lists without their indentation. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(docs + page, 'utf8');
  return [...text.matchAll(fenced)].map(([, notRun, indent = '', language = '', path = '', body = '']) => ({
    language,
    path,
    text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    ...(notRun === undefined ? {} : { notRun }),
  }));
}

/** Whether a reader types it. */
export function isCommands({ language }: Block): boolean {
  return language === 'sh' || language === 'console';
}

/** Pages of this folder, by their path in it. */
export function allPages(): readonly string[] {
  return globSync('**/*.md', { cwd: docs, exclude: (path) => path.includes('node_modules') }).toSorted();
}
