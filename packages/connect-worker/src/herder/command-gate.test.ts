import type { PlatformHealth } from '@levada/connect-runtime-core/platform';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { CommandGate } from './command-gate.ts';
import { StageTracker } from './stage-tracker.ts';

function gateOf(health: () => PlatformHealth, wall: () => number) {
  const manual = createManualClock();
  const clock = { ...manual, now: () => manual.now() + wall() };
  const gate = new CommandGate({ clock, stages: new StageTracker(clock), platformHealth: health });
  let refusals = 0;
  const read = (): void => {
    gate.read().catch(() => {
      refusals += 1;
    });
  };
  return { clock: manual, read, refusals: () => refusals };
}

describe('requests to a worker that has not read its topics', () => {
  it('wait while only a part of the log is away', async () => {
    const health: PlatformHealth = { status: 'away', reason: 'one topic', since: 0, isPartial: true };
    const { clock, read, refusals } = gateOf(
      () => health,
      () => 0,
    );
    read();
    await clock.advance(1_400);
    expect(refusals()).toBe(0);
    await clock.advance(100);
    expect(refusals()).toBe(1);
  });

  it('wait for a log that has just gone away also when the clock of the machine is set', async () => {
    let setMs = 0;
    let since: number | undefined;
    const gate = gateOf(
      () => ({ status: 'away', reason: 'no broker', since: since ?? 0 }),
      () => setMs,
    );
    since = gate.clock.now();
    gate.read();
    setMs = 3_600_000;
    await gate.clock.advance(1_000);
    gate.read();
    await gate.clock.advance(400);
    expect(gate.refusals()).toBe(0);
    await gate.clock.advance(100);
    expect(gate.refusals()).toBe(2);
    setMs = -3_600_000;
    gate.read();
    await gate.clock.advance(0);
    expect(gate.refusals()).toBe(3);
  });
});
