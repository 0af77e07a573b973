import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { matchRule, ReceivedMessage } from '../config/match-rule.ts';
import { ReadingTime } from './reading-time.ts';
import { ReplyWait } from './reply-wait.ts';

function waiting() {
  const clock = createManualClock();
  const outcomes: string[] = [];
  const reading = new ReadingTime(clock);
  const wait = new ReplyWait({
    reply: { match: matchRule('=yes'), reject: matchRule('=no'), timeoutMs: 1000 },
    reading,
    onOutcome: ({ kind }) => outcomes.push(kind),
  });
  const takes = (text: string) => wait.takes(new ReceivedMessage(Buffer.from(text)));
  return { clock, outcomes, reading, wait, takes };
}

describe('waiting for a reply', () => {
  it.each([
    ['yes', 'matched'],
    ['no', 'refused'],
  ])('ends with the first message that matches: %s', (text, outcome) => {
    const { clock, outcomes, wait, takes } = waiting();
    wait.begin();
    expect([takes('other'), takes(text)]).toEqual([false, true]);
    expect(outcomes).toEqual([outcome]);
    expect(clock.pending).toBe(0);
  });

  it('ends when the time is over, after a second look', async () => {
    const { clock, outcomes, wait } = waiting();
    wait.begin();
    await clock.advance(1049);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    expect(outcomes).toEqual(['late']);
  });

  it('counts from the first message while replies are missing', async () => {
    const { clock, outcomes, wait } = waiting();
    wait.begin();
    await clock.advance(600);
    wait.begin();
    await clock.advance(450);
    expect(outcomes).toEqual(['late']);
  });

  it('counts no time in which reading was paused', async () => {
    const { clock, outcomes, reading, wait } = waiting();
    wait.begin();
    await clock.advance(400);
    reading.pause();
    await clock.advance(5000);
    reading.resume();
    await clock.advance(649);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    expect(outcomes).toEqual(['late']);
    expect(clock.pending).toBe(0);
  });

  it('takes a reply that comes unasked, but no refusal', () => {
    const { outcomes, takes } = waiting();
    expect([takes('yes'), takes('no')]).toEqual([true, false]);
    expect(outcomes).toEqual([]);
  });
});
