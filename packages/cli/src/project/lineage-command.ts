import {
  formatLineageDot,
  formatLineageJson,
  formatLineageMermaid,
  formatLineageText,
  type ProjectGraph,
} from '@levada/stream-project-compiler';
import { plainMarks, showsUnicode } from '../output/style.ts';
import type { Terminal } from '../terminal.ts';
import { type CheckOptions, checkProject } from './check-project.ts';
import { folderAndRest } from './folder-and-rest.ts';
import type { LineageForm } from './forms.ts';
import { endWithNote } from './note-errors.ts';
import { selectPart } from './select-part.ts';

/** Options of `levada project lineage`. */
export interface LineageOptions extends CheckOptions {
  readonly format: LineageForm;
  readonly dir?: string;
  readonly exclude?: readonly string[];
  readonly upstream?: true;
  readonly downstream?: true;
}

const writers: Readonly<Record<LineageForm, (graph: ProjectGraph) => string>> = {
  text: formatLineageText,
  mermaid: formatLineageMermaid,
  dot: formatLineageDot,
  json: formatLineageJson,
};

/** `levada project lineage [dir] [selector...]`: the graph, or the part of it that selectors name and what is around them. */
export async function lineageCommand(
  args: readonly string[],
  options: LineageOptions,
  terminal: Terminal,
): Promise<void> {
  const { folder, rest } = await folderAndRest(args, options.dir, terminal);
  const report = await checkProject(folder, options, terminal);
  const select = rest.map((selector) => widened(selector, options));
  const part = selectPart(report.project, { select, exclude: options.exclude ?? [] }, terminal);
  const text = writers[options.format](part);
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
