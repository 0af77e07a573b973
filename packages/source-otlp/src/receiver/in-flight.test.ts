import { describe, expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

describe('InFlight', () => {
  it('lets in as many requests as it may', () => {
    const inFlight = new InFlight({ requests: 2, bytes: 100 });
    expect([inFlight.enter(1), inFlight.enter(1), inFlight.enter(1)]).toEqual([true, true, false]);
    inFlight.leave(0);
    expect(inFlight.enter(1)).toBe(true);
    expect(inFlight.requests).toBe(2);
  });

  it('lets in as many bytes as it may, and leaves everything as it was when there is no room', () => {
    const inFlight = new InFlight({ requests: 9, bytes: 100 });
    expect([inFlight.enter(60), inFlight.hold(60), inFlight.enter(60)]).toEqual([true, true, false]);
    expect([inFlight.requests, inFlight.bytes]).toEqual([1, 60]);
    expect([inFlight.enter(40), inFlight.hold(40), inFlight.hold(1)]).toEqual([true, true, false]);
    inFlight.leave(60);
    expect([inFlight.bytes, inFlight.hold(60)]).toEqual([40, true]);
  });

  it('counts no bytes that are only announced', () => {
    const inFlight = new InFlight({ requests: 9, bytes: 100 });
    expect([inFlight.enter(100), inFlight.enter(100), inFlight.bytes]).toEqual([true, true, 0]);
  });

  it('takes one request of any size when there is no other', () => {
    const inFlight = new InFlight({ requests: 9, bytes: 100 });
    expect([inFlight.enter(1000), inFlight.hold(1000), inFlight.enter(1)]).toEqual([true, true, false]);
  });
});
