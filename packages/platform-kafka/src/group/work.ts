import { type GroupWork, parseTaskKey } from '@levada/connect-runtime-core/platform';

/** Either kind of work. */
export type WorkKind = keyof GroupWork;

export const workKinds: readonly WorkKind[] = ['connectors', 'tasks'];

export const noWork: GroupWork = { connectors: new Set(), tasks: new Set() };

/** The work of a worker: nothing, its assignment, or everything, because it is the only member. */
export type Running = 'all' | GroupWork;

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

/** Maximum length of a name in the group's messages, in bytes of UTF-8. */
const MAX_NAME_BYTES = 32_767;

/** The work that fits into the group's messages, and the names of connectors that do not fit. */
export function selectShareable<W extends GroupWork>(
  work: W,
): { readonly work: W; readonly unfit: readonly string[] } {
  const unfit = [...work.connectors].filter((name) => !fits(name));
  if (unfit.length === 0) return { work, unfit };
  const connectors = new Set([...work.connectors].filter(fits));
  const tasks = new Set([...work.tasks].filter((key) => fits(parseTaskKey(key).connector)));
  return { work: { ...work, connectors, tasks }, unfit };
}

function fits(name: string): boolean {
  // A UTF-16 unit takes at most three bytes
  return name.length * 3 <= MAX_NAME_BYTES || Buffer.byteLength(name) <= MAX_NAME_BYTES;
}
