import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { TextRange } from '../text/range.ts';
import { nameRange } from './project-symbols.ts';
import { resolveCodes } from './resolve-codes.ts';
import type { ResolvedModel } from './resolved-project.ts';

/** The nodes of a graph, upstream first. */
interface NodeOrder<T> {
  /** Each node after those that it reads; otherwise in the given order. Nodes of a cycle are adjacent. */
  readonly order: readonly T[];
  /** Sets of nodes that lead back to themselves, each in the order given. */
  readonly cycles: readonly (readonly T[])[];
}

interface Visit<T> {
  readonly node: T;
  readonly upstream: Iterator<T>;
  lowest: number;
}

/**
 * Orders nodes with Tarjan's search for strongly connected components, which takes time linear in nodes and edges. `upstream`
 * answers nodes of the list only.
 */
export function orderNodes<T>(nodes: readonly T[], upstream: (node: T) => Iterable<T>): NodeOrder<T> {
  const place = new Map(nodes.map((node, index) => [node, index]));
  const numbers = new Map<T, number>();
  const open: OpenNodes<T> = { list: [], members: new Set() };
  const order: T[] = [];
  const cycles: T[][] = [];
  const finish = ({ node, lowest }: Visit<T>) => {
    if (lowest !== numbers.get(node)) return;
    const members = takeUntil(open, node).sort(
      (one, other) => (place.get(one) ?? 0) - (place.get(other) ?? 0),
    );
    order.push(...members);
    if (members.length > 1 || [...upstream(node)].includes(node)) cycles.push(members);
  };
  for (const node of nodes) {
    if (!numbers.has(node)) visitFrom(node, { upstream, numbers, open, finish });
  }
  return { order, cycles: cycles.sort(([one], [other]) => placeOf(place, one) - placeOf(place, other)) };
}

/** Nodes that are not yet part of a finished set, in order of their numbers. */
interface OpenNodes<T> {
  readonly list: T[];
  readonly members: Set<T>;
}

interface Search<T> {
  readonly upstream: (node: T) => Iterable<T>;
  readonly numbers: Map<T, number>;
  readonly open: OpenNodes<T>;
  readonly finish: (visit: Visit<T>) => void;
}

/** Without recursion: a chain of models may be as long as the project. */
function visitFrom<T>(root: T, search: Search<T>): void {
  const path = [enter(root, search)];
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const next = visit.upstream.next();
    if (next.done === true) {
      path.pop();
      search.finish(visit);
      const below = path.at(-1);
      if (below !== undefined) below.lowest = Math.min(below.lowest, visit.lowest);
      continue;
    }
    const known = search.numbers.get(next.value);
    if (known === undefined) path.push(enter(next.value, search));
    else if (search.open.members.has(next.value)) visit.lowest = Math.min(visit.lowest, known);
  }
}

function enter<T>(node: T, { upstream, numbers, open }: Search<T>): Visit<T> {
  const number = numbers.size;
  numbers.set(node, number);
  open.list.push(node);
  open.members.add(node);
  return { node, upstream: upstream(node)[Symbol.iterator](), lowest: number };
}

/** Removes the last node and all after it from the open ones. */
function takeUntil<T>({ list, members }: OpenNodes<T>, node: T): T[] {
  const taken: T[] = [];
  for (let last = list.pop(); last !== undefined; last = list.pop()) {
    taken.push(last);
    members.delete(last);
    if (last === node) break;
  }
  return taken;
}

function placeOf<T>(place: ReadonlyMap<T, number>, node: T | undefined): number {
  return node === undefined ? 0 : (place.get(node) ?? 0);
}

/** Longer ways round and larger sets are cut. */
const MAX_SHOWN = 20;

/** One finding for a set of models that depend on themselves, with the shortest way round from the first of them. */
export function cycleFinding(members: readonly ResolvedModel[]): Diagnostic {
  const way = shortestWay(members);
  const [first, ...others] = way;
  const names = way.map(({ model }) => model.name);
  const start = names[0] ?? '';
  const more = members.length > way.length ? `; ${members.length} models are in cycles with it` : '';
  const all = members.map(({ name }) => name).sort();
  return diagnose(resolveCodes['cycle'], {
    message: `model ${quote(start)} depends on itself: ${[...cut(names), start].join(' → ')}${more}`,
    object: `model:${cut(all).join(',')}`,
    range: first?.range() ?? nowhere,
    path: first?.path ?? '',
    related: others.slice(0, MAX_SHOWN).map(({ model, range }) => ({
      message: `${model.name} refers to the next model here`,
      range: range(),
    })),
    hint: 'remove one of these references',
  });
}

function cut(names: readonly string[]): readonly string[] {
  return names.length > MAX_SHOWN ? [...names.slice(0, MAX_SHOWN), '…'] : names;
}

const nowhere: TextRange = { file: '', start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/** A model, and where it names the next one: what it reads. */
interface Step {
  readonly model: ResolvedModel;
  readonly path: string;
  readonly range: () => TextRange;
}

/** From the first model along what each reads, back to it; breadth first. */
function shortestWay(members: readonly ResolvedModel[]): readonly Step[] {
  const [start] = members;
  if (start === undefined) return [];
  const byId = new Map<string, ResolvedModel>(members.map((model) => [model.id, model]));
  const cameFrom = new Map<ResolvedModel, ResolvedModel>();
  const waiting = [start];
  for (const model of waiting) {
    for (const { target } of model.inputs) {
      const next = target === undefined ? undefined : byId.get(target);
      if (next === start) return wayTo(start, model, cameFrom);
      if (next === undefined || cameFrom.has(next)) continue;
      cameFrom.set(next, model);
      waiting.push(next);
    }
  }
  return [];
}

function wayTo(
  start: ResolvedModel,
  end: ResolvedModel,
  cameFrom: ReadonlyMap<ResolvedModel, ResolvedModel>,
): readonly Step[] {
  const models = [end];
  for (let at = end; at !== start; models.push(at)) at = cameFrom.get(at) ?? start;
  models.reverse();
  return models.map((model, index) => stepTo(model, models[index + 1] ?? start));
}

function stepTo(model: ResolvedModel, next: ResolvedModel): Step {
  const used = model.inputs.find(({ target }) => target === next.id);
  return {
    model,
    path: used?.path ?? model.definition.path,
    range: used?.range ?? (() => nameRange(model.definition)),
  };
}
