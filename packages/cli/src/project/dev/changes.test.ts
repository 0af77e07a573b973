import { createManualClock } from '@levada/connect-runtime-core/testing';
import { expect, it } from 'vitest';
import { createChanges } from './changes.ts';

it('reports a burst of changes once, after a quiet period', async () => {
  const clock = createManualClock();
  const changes = createChanges(clock);
  const { signal } = new AbortController();
  let reported = 0;
  void changes.next(signal).then(() => {
    reported += 1;
  });
  for (let at = 0; at < 5; at += 1) {
    changes.notify();
    await clock.advance(10);
  }
  expect(reported).toBe(0);
  await clock.advance(20);
  expect(reported).toBe(1);
});

it('reports changes that never pause', async () => {
  const clock = createManualClock();
  const changes = createChanges(clock);
  let reported = false;
  void changes.next(new AbortController().signal).then(() => {
    reported = true;
  });
  for (let at = 0; at < 30 && !reported; at += 1) {
    changes.notify();
    await clock.advance(10);
  }
  expect(reported).toBe(true);
});

it('keeps a change until the next call reads it', async () => {
  const clock = createManualClock();
  const changes = createChanges(clock);
  changes.notify();
  const next = changes.next(new AbortController().signal);
  await clock.advance(50);
  expect(await next).toBe(true);
});

it('ends a wait when it is aborted', async () => {
  const changes = createChanges(createManualClock());
  const end = new AbortController();
  const next = changes.next(end.signal);
  end.abort();
  expect(await next).toBe(false);
  expect(await changes.next(end.signal)).toBe(false);
});
