import { EventEmitter } from 'node:events';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { watchEndSignals } from './end-signals.ts';

function watch() {
  const events = new EventEmitter();
  const clock = createManualClock();
  const asked: string[] = [];
  const exits: number[] = [];
  watchEndSignals({ events, clock, onFirst: (s) => asked.push(s), exit: (code) => exits.push(code) });
  return { events, clock, asked, exits };
}

describe('a signal', () => {
  it('asks to end on the first signal, and insists on the second', async () => {
    const { events, clock, asked, exits } = watch();
    events.emit('SIGTERM');
    await clock.advance(250);
    events.emit('SIGTERM');
    expect({ asked, exits }).toEqual({ asked: ['SIGTERM'], exits: [143] });
  });

  it('takes two signals at once, as npm sends them, as one', async () => {
    const { events, clock, asked, exits } = watch();
    events.emit('SIGINT');
    await clock.advance(249);
    events.emit('SIGINT');
    expect({ asked, exits }).toEqual({ asked: ['SIGINT'], exits: [] });
  });

  it('insists at once on a different second signal', () => {
    const { events, exits } = watch();
    events.emit('SIGTERM');
    events.emit('SIGINT');
    expect(exits).toEqual([130]);
  });
});
