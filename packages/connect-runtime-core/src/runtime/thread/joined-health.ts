import type { PlatformHealth } from '../../platform/log-platform.ts';

/** The link of a task in a thread of its own to the log. */
export interface TaskLink {
  /** `<connector>-<task>`. */
  readonly task: string;
  readonly health: PlatformHealth;
}

/**
 * How a worker as a whole is doing with its log: without its own link nothing can be stored; with it, but without that of a task, some
 * of it. Reasons are in the order of the links.
 */
export function joinedHealth(own: PlatformHealth, links: readonly TaskLink[]): PlatformHealth {
  if (own.status === 'down') return own;
  const troubles = links.flatMap(({ task, health }) =>
    health.status === 'up'
      ? []
      : [{ since: health.since, reason: `${health.status} for task ${task}: ${health.reason}` }],
  );
  if (troubles.length === 0) return own;
  const all = own.status === 'up' ? troubles : [own, ...troubles];
  return {
    status: 'degraded',
    since: Math.min(...all.map(({ since }) => since)),
    reason: all.map(({ reason }) => reason).join('; '),
  };
}
