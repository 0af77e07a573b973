import type { PlatformHealth } from '../../platform/log-platform.ts';

/** The link of a task in a thread of its own to the log. */
export interface TaskLink {
  /** `<connector>-<task>`. */
  readonly task: string;
  readonly health: PlatformHealth;
}

/**
 * How a worker as a whole is doing with its log: without its own link nothing can be stored; with it, but without that of a task, a part
 * is not. Reasons are in the order of the links.
 */
export function joinedHealth(own: PlatformHealth, links: readonly TaskLink[]): PlatformHealth {
  if (own.status === 'away' && own.isPartial !== true) return own;
  const troubles = links.flatMap(({ task, health }) =>
    health.status === 'ok'
      ? []
      : [{ ...health, reason: `${health.status} for task ${task}: ${health.reason}` }],
  );
  if (troubles.length === 0) return own;
  const all = own.status === 'ok' ? troubles : [own, ...troubles];
  return {
    status: all.some(({ status }) => status === 'away') ? 'away' : 'throttled',
    isPartial: true,
    since: Math.min(...all.map(({ since }) => since)),
    reason: all.map(({ reason }) => reason).join('; '),
  };
}
