import { lineageJson, type ProjectGraph } from '@levada/stream-project-compiler';
import { renderTable } from '../output/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CheckOptions, checkFolder } from './check-folder.ts';
import { type ListForm, outputShapes } from './forms.ts';
import { endWithNote } from './note-errors.ts';
import { type PartOptions, selectPart } from './select-part.ts';

/** Options of `levada project ls`. */
export interface LsOptions extends PartOptions, CheckOptions {
  readonly output: ListForm;
  /** Overrides `output`, for those who know the other commands. */
  readonly format?: ListForm;
}

/** `levada project ls [dir]`: sources, models and exposures, each behind what it reads. */
export async function lsCommand(folder: string, options: LsOptions, terminal: Terminal): Promise<void> {
  const report = await checkFolder(folder, options, terminal);
  const part = selectPart(report.project, options, terminal);
  terminal.out(writers[options.format ?? options.output](part));
  if (part.nodes.length === 0) terminal.err('nothing to list\n');
  endWithNote(report, terminal);
}

const writers: Readonly<Record<ListForm, (graph: ProjectGraph) => string>> = {
  name: ({ nodes }) => nodes.map(({ id }) => `${id}\n`).join(''),
  json: (graph) =>
    `${JSON.stringify({ schema: outputShapes.list, nodes: lineageJson(graph).nodes }, undefined, 2)}\n`,
  table: ({ nodes }) =>
    renderTable(
      nodes.map(({ name, kind, materialized, owner, tags, file, range }) => ({
        name,
        kind: materialized ?? kind,
        owner: owner ?? '',
        tags: tags.join(','),
        place: `${file}:${range.start.line}`,
      })),
    ),
};
