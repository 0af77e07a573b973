import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block of a text. */
export interface Block {
  readonly language: string;
  /** Of the file that it is; empty for others. */
  readonly path: string;
  readonly text: string;
  /** Where it begins in its text, from 1. */
  readonly line: number;
  /** Why no test runs it: what `<!-- not run: reason -->` before it says. */
  readonly notRun?: string;
}

const fence = /^( *)(`{3,}|~{3,})([^`]*)$/;
const reason = /^ *<!-- not run: (\S[^>]*) -->$/;

/** The fenced blocks of a text of the repository, in order; those in lists without their indentation. */
export function blocksOf(file: string): readonly Block[] {
  return blocksIn(readFileSync(repository + file, 'utf8'));
}

export function blocksIn(text: string): readonly Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', marks, info = ''] = fence.exec(lines[at] ?? '') ?? [];
    if (marks === undefined) continue;
    const [language = '', path = ''] = info.trim().split(' ');
    const last = lines.findIndex((line, other) => other > at && line.trim() === marks);
    const end = last === -1 ? lines.length : last;
    const body = lines
      .slice(at + 1, end)
      .map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ''));
    const before = lines[at - 1]?.trim() === '' ? lines[at - 2] : lines[at - 1];
    const [, notRun] = reason.exec(before ?? '') ?? [];
    const block = { language, path, text: body.map((line) => `${line}\n`).join(''), line: at + 1 };
    blocks.push(notRun === undefined ? block : { ...block, notRun });
    at = end;
  }
  return blocks;
}

/** Whether a reader types it. */
export function isCommands({ language }: Block): boolean {
  return language === 'sh' || language === 'console';
}

/** A picture, or what something looks like: there is nothing in it to run. */
export function isShown({ language }: Block): boolean {
  return language === 'text';
}

/** Whether a block only installs packages that are published; the check of releases installs each. */
export function installs({ text }: Block): boolean {
  const lines = text.trimEnd().split('\n');
  return lines.every((line) => {
    const [, names = ''] = /^npm install (?:--save-dev )?([^#]*?) *(?:#.*)?$/.exec(line) ?? [];
    const ours = names.split(' ').filter((name) => name.startsWith('@levada/'));
    return ours.length > 0 && ours.every(isPublished);
  });
}

function isPublished(name: string): boolean {
  const manifest = `${repository}packages/${name.slice('@levada/'.length)}/package.json`;
  return existsSync(manifest) && !('private' in (JSON.parse(readFileSync(manifest, 'utf8')) as object));
}

/** What people read in the repository: pages of the site and READMEs. Not decisions, which record what was, and not generated declarations. */
export function allTexts(): readonly string[] {
  const exclude = (path: string): boolean => path.includes('node_modules');
  const found = globSync('{*.md,{docs,packages,examples,deploy}/**/*.md}', { cwd: repository, exclude });
  return found
    .filter((file) => !/^docs\/(?:decisions|reference\/api)\/|CHANGELOG|\/(?:dist|test)\//.test(file))
    .toSorted();
}
