import { nearestName } from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import type { ProjectGraph } from '../lineage/project-graph.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { parseSelector, type SelectorPart } from './parse-selector.ts';
import { isSelectorMethod, type SelectorMethodRow, selectorMethods } from './selector-methods.ts';

/** Options of {@link selectNodes}. */
interface SelectOptions {
  /** Selectors of what to leave out. */
  readonly exclude?: readonly string[];
}

/** Something about a selector that its author should know. */
export interface SelectorProblem {
  readonly selector: string;
  /** An error is a word that cannot be right; a warning is a selector that holds for nothing in this project. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint?: string;
}

/** The result of a selection. */
export interface NodeSelection {
  readonly nodes: ReadonlySet<NodeId>;
  readonly problems: readonly SelectorProblem[];
}

/**
 * The nodes that selectors name, in order of the graph. A node is selected when any of the selectors holds for it: a name, or
 * `method:pattern` with `*` for any characters; `+` before or after it adds all that it reads, or that reads it, and
 * `2+` or `+2` only so many steps; if there are several parts between commas, all must hold. No selector at all selects everything.
 */
export function selectNodes(
  graph: ProjectGraph,
  selectors: readonly string[],
  { exclude = [] }: SelectOptions = {},
): NodeSelection {
  const problems: SelectorProblem[] = [];
  const union = (all: readonly string[]) => {
    const found = new Set<NodeId>();
    for (const selector of new Set(all)) {
      for (const id of selectOne(graph, selector, problems)) found.add(id);
    }
    return found;
  };
  const wanted = selectors.length === 0 ? undefined : union(selectors);
  const unwanted = union(exclude);
  const kept = graph.nodes.filter(({ id }) => (wanted?.has(id) ?? true) && !unwanted.has(id));
  return { nodes: new Set(kept.map(({ id }) => id)), problems };
}

function selectOne(graph: ProjectGraph, selector: string, problems: SelectorProblem[]): ReadonlySet<NodeId> {
  const before = problems.length;
  const [first = new Set<NodeId>(), ...others] = parseSelector(selector).map((part) => {
    const { nodes, problem } = selectPart(graph, part);
    if (problem !== undefined) problems.push({ selector, ...problem });
    return nodes;
  });
  const common = new Set([...first].filter((id) => others.every((other) => other.has(id))));
  if (common.size === 0 && problems.length === before) {
    const message = `the selector ${quote(selector)} matches nothing: no node is in all of its parts`;
    problems.push({ selector, severity: 'warning', message });
  }
  return common;
}

type PartProblem = Omit<SelectorProblem, 'selector'>;

interface SelectedPart {
  readonly nodes: ReadonlySet<NodeId>;
  readonly problem?: PartProblem;
}

function selectPart(graph: ProjectGraph, part: SelectorPart): SelectedPart {
  const { method, pattern, upstream, downstream } = part;
  if (!isSelectorMethod(method)) return { nodes: new Set(), problem: unknownMethod(method) };
  const row = selectorMethods[method];
  const start = graph.nodes.filter((node) => row.matches(node, pattern)).map(({ id }) => id);
  if (start.length === 0) return { nodes: new Set(), problem: nothingFound(graph, part, row) };
  return {
    nodes: new Set([
      ...reachable(start, graph.upstream, upstream),
      ...reachable(start, graph.downstream, downstream),
    ]),
  };
}

function unknownMethod(method: string): PartProblem {
  const words = Object.keys(selectorMethods).filter((word) => word !== 'name');
  const near = nearestName(method, words);
  const list = words.map((word) => `${word}:`).join(', ');
  return {
    severity: 'error',
    message: `unknown selector method ${quote(`${method}:`)}, expected a name or one of ${list}`,
    ...(near === undefined ? {} : { hint: `did you mean "${near}:"?` }),
  };
}

function nothingFound(
  graph: ProjectGraph,
  { method, pattern }: SelectorPart,
  row: SelectorMethodRow,
): PartProblem {
  if (pattern === '') {
    return { severity: 'error', message: `a part of the selector is empty, expected ${row.doc}` };
  }
  const isPattern = pattern.includes('*');
  const names = [...new Set(row.names?.(graph.nodes) ?? [])];
  const near = isPattern ? undefined : nearestName(pattern, names);
  const hint = near === undefined ? allOf(method, names) : `did you mean "${near}"?`;
  return {
    severity: row.strict && !isPattern && !names.includes(pattern) ? 'error' : 'warning',
    message: `nothing matches ${quote(method === 'name' ? pattern : `${method}:${pattern}`)}, expected ${row.doc}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

const MAX_LISTED = 12;

/** Words of a small set are listed, names of a project are not. */
function allOf(method: string, names: readonly string[]): string | undefined {
  const isName = ['name', 'source', 'model', 'exposure', 'path'].includes(method);
  if (isName || names.length === 0 || names.length > MAX_LISTED) return undefined;
  return `write one of ${names.map((name) => quote(name)).join(', ')}`;
}

/**
 * The nodes that can be reached from some of them in at most so many steps, the start included. Breadth first, so each node
 * is looked at once.
 */
function reachable(
  start: Iterable<NodeId>,
  next: ReadonlyMap<NodeId, readonly NodeId[]>,
  steps: number = Number.POSITIVE_INFINITY,
): ReadonlySet<NodeId> {
  const found = new Set(start);
  let edge = [...found];
  for (let step = 0; step < steps && edge.length > 0; step += 1) {
    const further: NodeId[] = [];
    for (const node of edge) {
      for (const other of next.get(node) ?? []) {
        if (found.has(other)) continue;
        found.add(other);
        further.push(other);
      }
    }
    edge = further;
  }
  return found;
}
