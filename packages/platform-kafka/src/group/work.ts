/** Connectors by name, and tasks by {@link taskKey}. Groups balance both separately. */
export interface Work {
  readonly connectors: ReadonlySet<string>;
  readonly tasks: ReadonlySet<string>;
}

/** Either kind of work. */
export type WorkKind = keyof Work;

export const workKinds: readonly WorkKind[] = ['connectors', 'tasks'];

export const noWork: Work = { connectors: new Set(), tasks: new Set() };

/** Connect's text of a task id: the connector's name, a dash and the task's number. */
export function taskKey(connector: string, number: number): string {
  return `${connector}-${number}`;
}

/** Reverses {@link taskKey}; names may hold dashes. */
export function parseTaskKey(key: string): { readonly connector: string; readonly number: number } {
  const dash = key.lastIndexOf('-');
  return { connector: key.slice(0, dash), number: Number(key.slice(dash + 1)) };
}

export function union(parts: readonly Work[]): Work {
  const all = { connectors: new Set<string>(), tasks: new Set<string>() };
  for (const part of parts) for (const kind of workKinds) for (const item of part[kind]) all[kind].add(item);
  return all;
}

export function difference(work: Work, other: Work): Work {
  return {
    connectors: work.connectors.difference(other.connectors),
    tasks: work.tasks.difference(other.tasks),
  };
}

export function intersection(work: Work, other: Work): Work {
  return {
    connectors: work.connectors.intersection(other.connectors),
    tasks: work.tasks.intersection(other.tasks),
  };
}

export function isEmpty({ connectors, tasks }: Work): boolean {
  return connectors.size === 0 && tasks.size === 0;
}
