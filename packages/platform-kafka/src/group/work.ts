import type { GroupWork } from '@levada/connect-runtime-core/platform';

/** Either kind of work. */
export type WorkKind = keyof GroupWork;

export const workKinds: readonly WorkKind[] = ['connectors', 'tasks'];

export const noWork: GroupWork = { connectors: new Set(), tasks: new Set() };

export function union(parts: readonly GroupWork[]): GroupWork {
  const all = { connectors: new Set<string>(), tasks: new Set<string>() };
  for (const part of parts) for (const kind of workKinds) for (const item of part[kind]) all[kind].add(item);
  return all;
}

export function difference(work: GroupWork, other: GroupWork): GroupWork {
  return {
    connectors: work.connectors.difference(other.connectors),
    tasks: work.tasks.difference(other.tasks),
  };
}

export function intersection(work: GroupWork, other: GroupWork): GroupWork {
  return {
    connectors: work.connectors.intersection(other.connectors),
    tasks: work.tasks.intersection(other.tasks),
  };
}

export function isEmpty({ connectors, tasks }: GroupWork): boolean {
  return connectors.size === 0 && tasks.size === 0;
}
