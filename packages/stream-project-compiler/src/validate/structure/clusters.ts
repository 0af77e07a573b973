import { placeOf } from '../../parse/node-place.ts';
import type { ParsedProject } from '../../parse/parse-project.ts';
import type { TypedNode } from '../../parse/typed-node.ts';

/** A system whose clusters `runtime` names. */
export type ClusterSystem = 'engine' | 'connect';

/** Clusters of one system. */
export interface Clusters {
  /** Whether `runtime` says anything of the system. An object without any key counts as absent. */
  readonly isThere: boolean;
  readonly byName: ReadonlyMap<string, TypedNode>;
}

/** The clusters that `runtime` names; undefined where it cannot be told, because something there is wrong. */
export function clustersOf({ runtime }: ParsedProject, system: ClusterSystem): Clusters | undefined {
  if (runtime === undefined) return undefined;
  const section = placeOf(runtime.node, system).node;
  if (section === undefined) return { isThere: false, byName: new Map() };
  const clusters = placeOf(section, 'clusters').node;
  if (!isObject(section) || (clusters !== undefined && !isObject(clusters))) return undefined;
  const entries = clusters?.kind === 'object' ? [...clusters.entries.values()] : [];
  return {
    isThere: section.kind === 'object' && section.entries.size > 0,
    byName: new Map(entries.map(({ key, node }) => [key, node])),
  };
}

/** What is meant for an object and is none has no keys and is not known. */
function isObject(node: TypedNode): boolean {
  return node.kind === 'object' && (node.known || node.entries.size > 0);
}
