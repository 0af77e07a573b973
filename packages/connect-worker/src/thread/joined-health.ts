import { isWhollyAway, type PlatformHealth } from '@levada/connect-runtime-core/platform';

/** The link of a task in a thread of its own to the log. */
export interface TaskLink {
  /** `<connector>-<task>`. */
  readonly task: string;
  readonly health: PlatformHealth;
}

/**
 * How a worker as a whole is doing with its log: without its own link nothing can be stored; with it, a task in a thread without a link
 * is one part. It is throttled as a whole when all links are. Reasons are in the order of the links.
 */
export function joinedHealth(own: PlatformHealth, links: readonly TaskLink[]): PlatformHealth {
  if (isWhollyAway(own)) return own;
  const troubles = links.flatMap(({ task, health }) =>
    health.status === 'ok'
      ? []
      : [{ ...health, reason: `${health.status} for task ${task}: ${health.reason}` }],
  );
  if (troubles.length === 0 && (own.status !== 'throttled' || links.length === 0)) return own;
  const all = own.status === 'ok' ? troubles : [own, ...troubles];
  const status = all.some((each) => each.status === 'away') ? 'away' : 'throttled';
  const isWhole =
    status === 'throttled' && all.length > links.length && all.every(({ isPartial }) => !isPartial);
  return {
    status,
    ...(isWhole ? {} : { isPartial: true }),
    since: Math.min(...all.filter((each) => each.status === status).map(({ since }) => since)),
    reason: all.map(({ reason }) => reason).join('; '),
  };
}
