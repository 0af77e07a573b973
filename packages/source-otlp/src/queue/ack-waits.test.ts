import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { AckWaits } from './ack-waits.ts';

function setup() {
  const clock = createManualClock();
  const late: number[] = [];
  let storedLate = 0;
  const waits = new AckWaits({
    clock,
    timeoutMs: 8000,
    onLate: (ms) => late.push(ms),
    onStoredLate: () => {
      storedLate += 1;
    },
  });
  return { clock, waits, late, storedLate: () => storedLate };
}

describe('AckWaits', () => {
  it('AckWaits answers success when all messages are stored, and not before', async () => {
    const { waits } = setup();
    const pending = waits.begin(2, undefined);
    pending.settle('stored', 3);
    const first = await Promise.race([pending.outcome, Promise.resolve('waiting')]);
    pending.settle('stored', 4);
    expect([first, await pending.outcome]).toEqual(['waiting', { kind: 'accepted' }]);
  });

  it('AckWaits answers with the number of items that the log does not accept', async () => {
    const { waits } = setup();
    const pending = waits.begin(2, undefined);
    pending.settle('lost', 3);
    pending.settle('stored', 4);
    expect(await pending.outcome).toMatchObject({ kind: 'accepted', partial: { rejected: 3 } });
  });

  it('AckWaits asks for a retry of the whole export when the outcome of one message is unknown', async () => {
    const { waits } = setup();
    const pending = waits.begin(3, undefined);
    pending.settle('lost', 1);
    pending.settle('unknown', 1);
    pending.settle('stored', 1);
    expect(await pending.outcome).toMatchObject({ kind: 'refused', reason: 'unavailable' });
  });

  it('AckWaits answers before the client gives up, and counts what is stored after that', async () => {
    const { clock, waits, late, storedLate } = setup();
    const pending = waits.begin(1, 2000);
    await clock.advance(1499);
    expect(late).toEqual([]);
    await clock.advance(1);
    expect(await pending.outcome).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    pending.settle('stored', 1);
    expect([late, storedLate(), waits.isStalled]).toEqual([[1500], 1, false]);
  });

  it('AckWaits is stalled from the first timed-out wait until something is stored', async () => {
    const { clock, waits } = setup();
    const [first] = [waits.begin(1, undefined), waits.begin(1, undefined)];
    await clock.advance(8000);
    expect(waits.isStalled).toBe(true);
    first.settle('stored', 1);
    expect(waits.isStalled).toBe(false);
  });

  it('AckWaits is not stalled when nothing is left that could be stored', async () => {
    const { clock, waits, storedLate } = setup();
    const pending = [waits.begin(1, undefined), waits.begin(1, undefined)];
    await clock.advance(8000);
    pending[0]?.settle('unknown', 1);
    expect(waits.isStalled).toBe(true);
    pending[1]?.settle('lost', 1);
    expect([waits.isStalled, storedLate()]).toEqual([false, 0]);
  });

  it('AckWaits answers every waiting client when it is abandoned, and leaves no timer', async () => {
    const { clock, waits } = setup();
    const pending = [waits.begin(1, undefined), waits.begin(2, 500)];
    waits.abandon();
    const outcomes = await Promise.all(pending.map(({ outcome }) => outcome));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'refused']);
    expect(clock.pending).toBe(0);
  });
});
