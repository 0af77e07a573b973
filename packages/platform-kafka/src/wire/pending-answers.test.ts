import { createManualClock } from '@levada/connect-runtime-core/testing';
import { expect, it } from 'vitest';
import { PendingAnswers } from './pending-answers.ts';

it('an answer is late when the limit has passed since the end of a wait that the broker asked for', async () => {
  const clock = createManualClock();
  let late = 0;
  const pending = new PendingAnswers({ clock, limitMs: 100, onLate: () => (late += 1) });
  pending.add(pending.nextId(), () => undefined);
  pending.suspendLimit(5_000);
  await clock.advance(5_099);
  expect(late).toBe(0);
  await clock.advance(1);
  expect(late).toBe(1);
});
