/** The nodes of a graph, upstream first. */
export interface NodeOrder<T> {
  /** Each node after those that it reads; otherwise in the order given. Nodes of a cycle stand together. */
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

/** Takes the last node and all behind it out of the open ones. */
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
