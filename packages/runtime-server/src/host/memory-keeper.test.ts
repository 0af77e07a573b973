import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepMemory } from './memory-keeper.ts';
import { thisProcess } from './this-process.ts';

const MIB = 1024 * 1024;

const reportHeader = (): object => (process.report.getReport() as { header: object }).header;

/** A process that holds what the test says, and whose collections free what is said to be garbage. */
function keptProcess() {
  const clock = createManualClock();
  const process = { buffers: 10 * MIB, held: 60 * MIB, busy: 0, garbage: 0, young: 0, all: 0, returned: 0 };
  const free = (): void => {
    process.buffers -= process.garbage;
    process.held -= process.garbage;
    process.garbage = 0;
  };
  const end = keepMemory({
    clock,
    memory: {
      bufferBytes: () => process.buffers,
      heldBytes: () => process.held,
      busyShare: () => process.busy,
      collectYoung: () => {
        process.young += 1;
        free();
      },
      collectAll: () => {
        process.all += 1;
        free();
      },
      returnFree: () => {
        process.returned += 1;
      },
    },
  });
  onTestFinished(end);
  const litter = (bytes: number): void => {
    process.buffers += bytes;
    process.held += bytes;
    process.garbage += bytes;
  };
  return { clock, process, litter, end };
}

describe('the keeper of memory', () => {
  it('frees young buffers under load as soon as 8 MiB of garbage have come together', async () => {
    const { clock, process, litter } = keptProcess();
    process.busy = 1;
    litter(8 * MIB - 1);
    await clock.advance(100);
    expect(process.young).toBe(0);
    litter(1);
    await clock.advance(100);
    expect(process).toMatchObject({ young: 1, buffers: 10 * MIB });
    await clock.advance(60_000);
    expect(process).toMatchObject({ young: 1, all: 0 });
  });

  it('looks every 10 ms while buffers change', async () => {
    const { clock, process, litter } = keptProcess();
    process.busy = 1;
    litter(8 * MIB);
    await clock.advance(100);
    litter(4 * MIB);
    await clock.advance(10);
    litter(4 * MIB);
    await clock.advance(10);
    expect(process).toMatchObject({ young: 2, buffers: 10 * MIB });
  });

  it('does not take buffers for garbage that a collection did not free', async () => {
    const { clock, process } = keptProcess();
    process.busy = 1;
    process.buffers += 64 * MIB;
    await clock.advance(60_000);
    expect(process.young).toBe(1);
  });

  it('collects everything once after a busy phase, when the process was quiet for ten seconds', async () => {
    const { clock, process, litter } = keptProcess();
    process.busy = 0.02;
    await clock.advance(30_000);
    expect(process.all).toBe(0);
    process.busy = 0.019;
    await clock.advance(10_000);
    expect(process.all).toBe(1);
    await clock.advance(60_000);
    expect(process.all).toBe(1);
    litter(7 * MIB);
    await clock.advance(10_000);
    expect(process.all).toBe(1);
    process.held += MIB;
    await clock.advance(10_000);
    expect(process.all).toBe(2);
  });

  it('collects everything after a burst while a slow feed continues, and returns what is free five seconds later', async () => {
    const { clock, process, litter } = keptProcess();
    await clock.advance(12_500);
    expect(process).toMatchObject({ all: 1, returned: 1 });
    process.busy = 0.2;
    litter(7 * MIB);
    process.held += 100 * MIB;
    await clock.advance(10_000);
    expect(process.all).toBe(1);
    process.busy = 0.19;
    await clock.advance(10_000);
    expect(process.all).toBe(2);
    process.held = 60 * MIB + 23 * MIB;
    await clock.advance(5000);
    expect(process.returned).toBe(2);
    await clock.advance(60_000);
    expect(process).toMatchObject({ all: 2, returned: 2 });
  });

  it('collects three times more while what a burst had queued is held, and then no more', async () => {
    const { clock, process } = keptProcess();
    await clock.advance(12_500);
    process.held += 100 * MIB;
    await clock.advance(40_000);
    expect(process.all).toBe(5);
    await clock.advance(600_000);
    expect(process.all).toBe(5);
  });

  it('collects what a start has left as soon as the process was quiet for 2.5 seconds', async () => {
    const { clock, process } = keptProcess();
    process.busy = 0.5;
    await clock.advance(2500);
    process.busy = 0;
    await clock.advance(2400);
    expect(process.all).toBe(0);
    await clock.advance(100);
    expect(process.all).toBe(1);
  });

  it('does nothing after its end', async () => {
    const { clock, process, litter, end } = keptProcess();
    end();
    litter(20 * MIB);
    await clock.advance(60_000);
    expect(process).toMatchObject({ young: 0, all: 0 });
  });

  it.runIf('glibcVersionRuntime' in reportHeader())(
    'returns free memory of the C library to the system',
    async () => {
      const { memory } = thisProcess();
      const held = Array.from({ length: 2000 }, (_, i) => Buffer.allocUnsafeSlow(65_536 + i).fill(1));
      // Every seventh stays, so that what is free lies between pieces in use.
      const kept = held.filter((_, i) => i % 7 === 0);
      held.length = 0;
      memory.collectAll();
      const least = await waitFor(() => {
        const before = process.memoryUsage.rss();
        memory.returnFree();
        const returned = before - process.memoryUsage.rss();
        return returned > 20 * MIB ? returned : undefined;
      });
      expect(least).toBeGreaterThan(20 * MIB);
      expect(kept).toHaveLength(286);
    },
  );

  it('frees buffers of this process', () => {
    const { memory } = thisProcess();
    const held = Array.from({ length: 64 }, () => Buffer.allocUnsafeSlow(MIB).fill(1));
    const full = memory.bufferBytes();
    expect(full).toBeGreaterThanOrEqual(held.length * MIB);
    held.length = 0;
    memory.collectAll();
    memory.collectYoung();
    expect(full - memory.bufferBytes()).toBeGreaterThan(56 * MIB);
    expect(memory.heldBytes()).toBeGreaterThan(memory.bufferBytes());
    expect(memory.busyShare()).toBeGreaterThanOrEqual(0);
  });

  it('takes a thread for quiet that does little beside others that work', async () => {
    const { memory } = thisProcess();
    const code = `
      import { parentPort } from 'node:worker_threads';
      const begun = process.cpuUsage();
      const used = ({ user, system }) => user + system;
      while (used(process.cpuUsage(begun)) < 200_000);
      parentPort.postMessage('done');
    `;
    const busy = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    memory.busyShare();
    await once(busy, 'message');
    expect(memory.busyShare()).toBeLessThan(0.3);
    await busy.terminate();
  });
});
