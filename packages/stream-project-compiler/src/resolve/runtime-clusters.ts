import { isDeclared } from '../parse/is-declared.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { TypedNode } from '../parse/typed-node.ts';

/** A system whose clusters `runtime` names. */
export type ClusterSystem = 'engine' | 'connect';

/** Clusters of one system. */
export interface Clusters {
  /** Whether `runtime` says anything of the system. An object without any key counts as absent. */
  readonly isThere: boolean;
  readonly byName: ReadonlyMap<string, TypedNode>;
}

/** The clusters that `runtime` names; undefined when they cannot be determined, because a value there is wrong. */
export function clustersOf(
  { runtime }: Pick<ParsedProject, 'runtime'>,
  system: ClusterSystem,
): Clusters | undefined {
  if (runtime === undefined || !isDeclared(runtime.node, `${system}.clusters`)) return undefined;
  const section = placeOf(runtime.node, system).node;
  const clusters = section === undefined ? undefined : placeOf(section, 'clusters').node;
  if (section === undefined && runtime.node.hasUnknownKeys === true) return undefined;
  // Unknown keys may be clusters with too little indentation
  if (clusters === undefined && section?.kind === 'object' && section.hasUnknownKeys === true)
    return undefined;
  const entries = clusters?.kind === 'object' ? [...clusters.entries.values()] : [];
  // Keys of a cluster that lacks its name
  if (entries.some(({ node }) => !isDeclared(node, []))) return undefined;
  return {
    isThere: section?.kind === 'object' && section.entries.size > 0,
    byName: new Map(entries.map(({ key, node }) => [key, node])),
  };
}

/** Whether a cluster of the engine is of type `managed`; true as well when that cannot be determined. */
export function mayBeManaged(cluster: TypedNode): boolean {
  return placeOf(cluster, 'type').node?.value === 'managed' || !isDeclared(cluster, 'type');
}
