import { resolve } from 'node:path';
import {
  columnGraph,
  formatLineageDot,
  formatLineageJson,
  formatLineageMermaid,
  formatLineageText,
  type LineageOptions as LineageParts,
  type ProjectGraph,
} from '@levada/stream-project-compiler';
import { plainMarks, showsUnicode } from '../output/style.ts';
import { CommandError } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CheckOptions, checkFolder } from './check-folder.ts';
import { statPath } from './files.ts';
import type { LineageForm } from './forms.ts';
import { endWithNote } from './note-errors.ts';
import { printColumn } from './print-column.ts';
import { selectPart } from './select-part.ts';

/** Options of `levada project lineage`. */
export interface LineageOptions extends CheckOptions {
  readonly format: LineageForm;
  readonly dir?: string;
  readonly exclude?: readonly string[];
  readonly upstream?: true;
  readonly downstream?: true;
  /** With columns, and what they are made of. */
  readonly columns?: true;
  /** Only the lineage of one column: `orders.amount`. */
  readonly column?: string;
}

type Writer = (graph: ProjectGraph, parts: LineageParts) => string;

const writers: Readonly<Record<LineageForm, Writer>> = {
  text: formatLineageText,
  mermaid: formatLineageMermaid,
  dot: (graph) => formatLineageDot(graph),
  json: formatLineageJson,
};

/** `levada project lineage [dir] [selector...]`: the graph, or the part of it that selectors name and what is around them. */
export async function lineageCommand(
  args: readonly string[],
  options: LineageOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.format === 'dot' && options.columns === true) {
    throw new CommandError(exitCodes.usage, '--format dot has no columns, expected text, mermaid or json');
  }
  const { folder, rest } = await folderAndRest(args, options.dir, terminal);
  const report = await checkFolder(folder, options, terminal);
  if (options.column !== undefined) {
    printColumn(report.project, options.column, options, terminal);
    endWithNote(report, terminal);
    return;
  }
  const select = rest.map((selector) => widened(selector, options));
  const part = selectPart(report.project, { select, exclude: options.exclude ?? [] }, terminal);
  const parts = options.columns === true ? { columns: columnGraph(report.project) } : {};
  const text = writers[options.format](part, parts);
  terminal.out(options.format !== 'text' || showsUnicode(terminal) ? text : plainMarks(text));
  endWithNote(report, terminal);
}

/** A selector that says nothing of its surroundings means all that it reads and all that reads it. */
function widened(selector: string, { upstream, downstream }: LineageOptions): string {
  const both = upstream === undefined && downstream === undefined;
  if (both && /^\d*\+|\+\d*$/.test(selector)) return selector;
  const before = both || upstream === true ? '+' : '';
  const behind = both || downstream === true ? '+' : '';
  return selector
    .split(',')
    .map((part) => before + part.trim() + behind)
    .join(',');
}

/** The project's folder, and the words behind it. */
interface FolderAndRest {
  readonly folder: string;
  readonly rest: readonly string[];
}

/** `[dir] [word...]`: the first word is the folder if there is such a folder, unless `--dir` names one. Default: here. */
async function folderAndRest(
  words: readonly string[],
  dir: string | undefined,
  { cwd }: Terminal,
): Promise<FolderAndRest> {
  if (dir !== undefined) return { folder: dir, rest: words };
  const [first, ...rest] = words;
  if (first === undefined) return { folder: '.', rest };
  return (await statPath(resolve(cwd, first))) === 'folder'
    ? { folder: first, rest }
    : { folder: '.', rest: words };
}
