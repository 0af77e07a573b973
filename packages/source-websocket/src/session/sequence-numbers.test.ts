import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { ReceivedMessage } from '../config/match-rule.ts';
import { messageTemplate } from '../config/message-template.ts';
import type { SequencePlan } from '../config/session-plan.ts';
import { type PassedNumber, SequenceNumbers } from './sequence-numbers.ts';

interface Message {
  readonly key: string;
  readonly seq: number;
}

function setUp() {
  const clock = createManualClock();
  const plan: SequencePlan = {
    numberOf: (message) => (message as Message).seq,
    keyOf: (message) => (message as Message).key,
    replay: messageTemplate('again {{from}}'),
    replayLimit: 100,
    resume: undefined,
  };
  const numbers = new SequenceNumbers(plan, clock);
  const pass = (seq: number, key = ''): PassedNumber | undefined =>
    numbers.passed(new ReceivedMessage(Buffer.from(JSON.stringify({ key, seq }))));
  return { clock, pass };
}

describe('the numbers of a sequence', () => {
  it('are asked for again ten seconds after ten requests that were not answered', async () => {
    const { clock, pass } = setUp();
    const asked = (from: number, count: number): number =>
      Array.from({ length: count }, (_, index) => pass(from + index * 2)).filter((gap) => gap?.ask).length;
    pass(0);
    expect(asked(2, 50)).toBe(10);
    await clock.advance(9999);
    expect(asked(102, 50)).toBe(0);
    await clock.advance(1);
    expect(asked(202, 50)).toBe(10);
  });

  it('are asked for at once after an answer to one of ten requests', () => {
    const { pass } = setUp();
    for (let seq = 0; seq <= 20; seq += 2) pass(seq);
    expect(pass(22)).toMatchObject({ kind: 'gap', ask: false });
    expect(pass(1)).toMatchObject({ kind: 'recovered' });
    expect(pass(24)).toMatchObject({ kind: 'gap', expected: 23, ask: true });
  });

  it('are remembered for as many keys as have 1 MiB of characters', () => {
    const { pass } = setUp();
    const key = (index: number): string => `${index}`.padStart(1000, 'k');
    for (let index = 0; index < 2000; index += 1) pass(1, key(index));
    expect(pass(3, key(1999))).toMatchObject({ kind: 'gap' });
    expect(pass(3, key(1000))).toMatchObject({ kind: 'gap' });
    expect(pass(3, key(0))).toBeUndefined();
  });

  it('are remembered for 10,000 short keys', () => {
    const { pass } = setUp();
    for (let index = 0; index <= 10_000; index += 1) pass(1, `k${index}`);
    expect(pass(3, 'k1')).toMatchObject({ kind: 'gap' });
    expect(pass(3, 'k0')).toBeUndefined();
  });

  it('are not compared when their key is longer than 1 KiB', () => {
    const { pass } = setUp();
    const key = 'k'.repeat(1024);
    pass(1, key);
    expect(pass(3, key)).toBeUndefined();
  });
});
