import { describe, expect, it } from 'vitest';
import { joinedHealth } from './joined-health.ts';

const up = { status: 'up' } as const;
const away = { status: 'down', reason: 'no broker answers', since: 5 } as const;

describe('the health of the log for a worker with tasks in threads', () => {
  it('is that of its own link while those of tasks are up', () => {
    const full = { status: 'degraded', reason: 'disk almost full', since: 3 } as const;
    for (const own of [up, away, full]) expect(joinedHealth(own, [{ task: 'a-0', health: up }])).toBe(own);
  });

  it('is degraded when the link of a task is down, and says which', () => {
    const links = [
      { task: 'a-0', health: up },
      { task: 'a-1', health: away },
    ];
    const reason = 'down for task a-1: no broker answers';
    expect(joinedHealth(up, links)).toEqual({ status: 'degraded', reason, since: 5 });
    const own = { status: 'degraded', reason: 'disk almost full', since: 3 } as const;
    const both = { status: 'degraded', reason: `disk almost full; ${reason}`, since: 3 };
    expect(joinedHealth(own, links)).toEqual(both);
  });

  it('is down when its own link is, whatever the links of tasks are', () => {
    const own = { status: 'down', reason: 'fenced', since: 9 } as const;
    expect(joinedHealth(own, [{ task: 'a-0', health: away }])).toBe(own);
  });
});
