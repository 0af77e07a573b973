import { describe, expect, it } from 'vitest';
import { InFlight, type InFlightLimits } from './in-flight.ts';

const PEER = '192.0.2.1';

function inFlightOf(limits: Partial<InFlightLimits>): InFlight {
  return new InFlight({ requests: 9, bytes: 100, sharePercent: 100, ...limits });
}

describe('InFlight', () => {
  it('InFlight admits requests up to its limit', () => {
    const inFlight = inFlightOf({ requests: 2 });
    const enter = () => inFlight.enter(PEER, 1);
    expect([enter(), enter(), enter()]).toEqual(['entered', 'entered', 'full']);
    inFlight.leave(PEER, 0);
    expect(enter()).toBe('entered');
    expect(inFlight.requests).toBe(2);
  });

  it('InFlight admits bytes up to its limit, and changes nothing when there is no room', () => {
    const inFlight = inFlightOf({});
    const enter = (bytes: number) => inFlight.enter(PEER, bytes);
    const hold = (bytes: number) => inFlight.reserve(PEER, bytes);
    expect([enter(60), hold(60), enter(60)]).toEqual(['entered', true, 'full']);
    expect([inFlight.requests, inFlight.bytes]).toEqual([1, 60]);
    expect([enter(40), hold(40), hold(1)]).toEqual(['entered', true, false]);
    inFlight.leave(PEER, 60);
    expect([inFlight.bytes, hold(60)]).toEqual([40, true]);
  });

  it('InFlight counts no bytes that are only announced', () => {
    const inFlight = inFlightOf({});
    const entered = [inFlight.enter(PEER, 100), inFlight.enter(PEER, 100)];
    expect([entered, inFlight.bytes]).toEqual([['entered', 'entered'], 0]);
  });

  it('InFlight takes one request of any size when there is no other', () => {
    const inFlight = inFlightOf({ sharePercent: 10 });
    expect([inFlight.enter(PEER, 1000), inFlight.reserve(PEER, 1000)]).toEqual(['entered', true]);
    expect(inFlight.enter('192.0.2.2', 1)).toBe('full');
  });

  it('InFlight limits one address to its share of requests and bytes while others are admitted', () => {
    const inFlight = inFlightOf({ requests: 4, sharePercent: 50 });
    const [one, other] = [PEER, '192.0.2.2'];
    expect([1, 2, 3].map(() => inFlight.enter(one, 0))).toEqual(['entered', 'entered', 'share']);
    expect([inFlight.reserve(one, 50), inFlight.reserve(one, 1)]).toEqual([true, false]);
    expect([inFlight.enter(other, 50), inFlight.reserve(other, 50)]).toEqual(['entered', true]);
    inFlight.leave(one, 50);
    expect([inFlight.enter(one, 0), inFlight.enter(one, 0)]).toEqual(['entered', 'share']);
  });

  it('InFlight counts an IPv6 network as one address, and forgets addresses without requests', () => {
    const inFlight = inFlightOf({ requests: 4, sharePercent: 25 });
    expect(inFlight.enter('2001:db8:1:2::1', 0)).toBe('entered');
    expect(inFlight.enter('2001:db8:1:2:ffff::7', 0)).toBe('share');
    expect(inFlight.enter('2001:db8:1:3::1', 0)).toBe('entered');
    inFlight.leave('2001:db8:1:2::1', 0);
    expect(inFlight.enter('2001:db8:1:2::9', 0)).toBe('entered');
  });
});
