import type { Reference } from './reference.ts';
import type { ResolvedExposure, ResolvedModel, ResolvedProject } from './resolved-project.ts';

type Nodes = Pick<ResolvedProject, 'models' | 'exposures'>;

/** Whether the nodes of two projects have the same order and read the same, so that all that follows from edges is the same. */
export function sameGraph(one: Nodes, other: Nodes): boolean {
  return (
    sameNodes(one.models, other.models, readsSame) && sameNodes(one.exposures, other.exposures, consumesSame)
  );
}

function sameNodes<T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  isSame: (node: T, now: T) => boolean,
): boolean {
  if (one.size !== other.size) return false;
  const others = other[Symbol.iterator]();
  for (const [name, node] of one) {
    const next = others.next();
    if (next.done === true || next.value[0] !== name) return false;
    if (next.value[1] !== node && !isSame(node, next.value[1])) return false;
  }
  return true;
}

function readsSame(one: ResolvedModel, other: ResolvedModel): boolean {
  return sameTargets(one.inputs, other.inputs);
}

function consumesSame(one: ResolvedExposure, other: ResolvedExposure): boolean {
  return sameTargets(one.consumes, other.consumes) && sameTargets(one.produces, other.produces);
}

function sameTargets(one: readonly Reference[], other: readonly Reference[]): boolean {
  return one.length === other.length && one.every(({ target }, index) => target === other[index]?.target);
}
