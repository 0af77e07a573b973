import type { PlatformHealth } from '@levada/connect-runtime-core/platform';
import { describe, expect, it } from 'vitest';
import { joinedHealth } from './joined-health.ts';

const ok = { status: 'ok' } as const;
const away = { status: 'away', reason: 'no broker answers', since: 5 } as const;

describe('the health of the log for a worker with tasks in threads', () => {
  it('is that of its own link while those of tasks are well', () => {
    const part = { status: 'away', reason: 'no topic "x"', since: 3, isPartial: true } as const;
    for (const own of [ok, away, part]) expect(joinedHealth(own, [{ task: 'a-0', health: ok }])).toBe(own);
  });

  it('is away in part when the link of a task is, and says which', () => {
    const links = [
      { task: 'a-0', health: ok },
      { task: 'a-1', health: away },
    ];
    const reason = 'away for task a-1: no broker answers';
    expect(joinedHealth(ok, links)).toEqual({ status: 'away', isPartial: true, reason, since: 5 });
    const own = { status: 'throttled', reason: 'quota', since: 3 } as const;
    const both = { status: 'away', isPartial: true, reason: `quota; ${reason}`, since: 5 };
    expect(joinedHealth(own, links)).toEqual(both);
  });

  it('is throttled as a whole only when all links are', () => {
    const own = { status: 'throttled', reason: 'quota', since: 3 } as const;
    const joined = (...links: PlatformHealth[]) =>
      joinedHealth(
        own,
        links.map((health, at) => ({ task: `a-${at}`, health })),
      );
    expect(joined()).toBe(own);
    expect(joined(own)).toEqual({ ...own, reason: 'quota; throttled for task a-0: quota' });
    expect(joined(ok)).toEqual({ ...own, isPartial: true });
    expect(joined(own, ok)).toMatchObject({ status: 'throttled', isPartial: true });
    expect(joined({ ...own, isPartial: true })).toMatchObject({ status: 'throttled', isPartial: true });
  });

  it('is throttled in part when the link of a task is', () => {
    const throttled = { status: 'throttled', reason: 'quota', since: 5 } as const;
    expect(joinedHealth(ok, [{ task: 'a-0', health: throttled }])).toEqual({
      status: 'throttled',
      isPartial: true,
      reason: 'throttled for task a-0: quota',
      since: 5,
    });
  });

  it('is away when its own link is, whatever the links of tasks are', () => {
    const own = { status: 'away', reason: 'fenced', since: 9 } as const;
    expect(joinedHealth(own, [{ task: 'a-0', health: away }])).toBe(own);
  });
});
