import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A fenced block of a guide, and the line that it begins at. */
export interface GuideBlock {
  readonly line: number;
  readonly language: string;
  /** The path of a file, which follows the language. */
  readonly path: string;
  readonly text: string;
}

const fenced = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;
const cli = fileURLToPath(new URL('../../../cli/bin/levada.js', import.meta.url));

/** The fenced blocks of a guide, in order. */
export function blocksOf(markdown: string): readonly GuideBlock[] {
  return [...markdown.matchAll(fenced)].map(
    ({ 0: whole, 1: language = '', 2: path = '', 3: text = '', index }) => ({
      line: markdown.slice(0, index).split('\n').length,
      language,
      path,
      text: whole === '' ? '' : text,
    }),
  );
}

/** What a block of commands shows when it is run in a folder: each command after "$ ", then what it prints. */
export function runConsole(folder: string, text: string): string {
  const commands = text.split('\n').filter((line) => line.startsWith('$ levada '));
  return commands.map((line) => `${line}\n${runLevada(folder, line.slice('$ levada '.length))}`).join('');
}

function runLevada(folder: string, words: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [cli, ...words.split(' ')], {
    cwd: folder,
    encoding: 'utf8',
    env: { NO_COLOR: '1', LANG: 'C.UTF-8' },
  });
  return `${stdout}${stderr}`;
}

/** Writes a file of a guide's project. */
export function writeFile(folder: string, { path, text }: Pick<GuideBlock, 'path' | 'text'>): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Puts the lines with "+" in place of those with "-", and answers the file as it was. */
export function applyChange(folder: string, { path, text }: GuideBlock): string {
  const before = readFileSync(join(folder, path), 'utf8');
  const lines = (sign: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const parts = before.split(lines('-'));
  if (parts.length !== 2) throw new Error(`${path} has these lines ${parts.length - 1} times: ${lines('-')}`);
  writeFileSync(join(folder, path), parts.join(lines('+')));
  return before;
}
