import { createManualClock } from '@levada/connect-runtime-core/testing';
import { expect, it } from 'vitest';
import { createChanges } from './changes.ts';

it('tells of many changes that come together once, when it has been quiet', async () => {
  const clock = createManualClock();
  const changes = createChanges(clock);
  const { signal } = new AbortController();
  let told = 0;
  void changes.next(signal).then(() => {
    told += 1;
  });
  for (let at = 0; at < 5; at += 1) {
    changes.notify();
    await clock.advance(10);
  }
  expect(told).toBe(0);
  await clock.advance(20);
  expect(told).toBe(1);
});

it('tells of changes that never end', async () => {
  const clock = createManualClock();
  const changes = createChanges(clock);
  let told = false;
  void changes.next(new AbortController().signal).then(() => {
    told = true;
  });
  for (let at = 0; at < 30 && !told; at += 1) {
    changes.notify();
    await clock.advance(10);
  }
  expect(told).toBe(true);
});

it('remembers a change until somebody asks', async () => {
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
