import {
  type InferredProject,
  type NodeSelection,
  type ProjectGraph,
  projectGraph,
  restrictGraph,
  selectNodes,
} from '@levada/stream-project-compiler';
import { CommandError } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Which part of a project a command is about. */
export interface PartOptions {
  /** Selectors; a node is part of it when one of them holds. Default: everything. */
  readonly select?: readonly string[];
  /** Selectors of what to leave out. */
  readonly exclude?: readonly string[];
}

/**
 * The part of a project's graph that selectors name. A selector that cannot be right is wrong usage; one that holds for nothing
 * is a note.
 */
export function selectPart(
  project: InferredProject,
  { select = [], exclude = [] }: PartOptions,
  terminal: Terminal,
): ProjectGraph {
  const graph = projectGraph(project);
  if (select.length === 0 && exclude.length === 0) return graph;
  const selection = selectNodes(graph, select, { exclude });
  report(selection, terminal);
  return restrictGraph(graph, selection.nodes);
}

function report({ problems }: NodeSelection, terminal: Terminal): void {
  for (const { severity, message, hint } of problems) {
    if (severity === 'error') throw new CommandError(exitCodes.usage, message, hint);
    terminal.err(`levada: ${message}${hint === undefined ? '' : ` — ${hint}`}\n`);
  }
}
