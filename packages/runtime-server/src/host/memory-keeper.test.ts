import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keepMemory } from './memory-keeper.ts';
import { thisProcess, threadMemory } from './this-process.ts';

const MIB = 1024 * 1024;

const reportHeader = (): object => (process.report.getReport() as { header: object }).header;

/** A process that holds what the test says, and whose collections free what is said to be garbage. */
function keptProcess(heldBytes = 60 * MIB) {
  const clock = createManualClock();
  const process = {
    buffers: 10 * MIB,
    held: heldBytes,
    busy: 0,
    garbage: 0,
    /** On the heap, of the old generation. */
    oldGarbage: 0,
    young: 0,
    all: 0,
    collectMs: 20,
    returned: 0,
    returns: true,
    failures: [] as unknown[],
  };
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
        process.held -= process.oldGarbage;
        process.oldGarbage = 0;
        return process.collectMs;
      },
      returnFree: () => {
        process.returned += 1;
        if (!process.returns) throw new Error('not here');
      },
    },
    onNotReturned: (error) => process.failures.push(error),
  });
  onTestFinished(end);
  const litter = (bytes: number): void => {
    process.buffers += bytes;
    process.held += bytes;
    process.garbage += bytes;
  };
  const age = (bytes: number): void => {
    process.held += bytes;
    process.oldGarbage += bytes;
  };
  return { clock, process, litter, age, end };
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

  it('never collects everything for a large heap whose garbage comes and goes at 15 % of a core', async () => {
    const { clock, process, age } = keptProcess(400 * MIB);
    await clock.advance(12_500);
    expect(process).toMatchObject({ all: 1, returned: 1 });
    process.busy = 0.15;
    for (let round = 0; round < 100; round += 1) {
      age(90 * MIB);
      // V8 collects before the next judgement, or after it.
      await clock.advance(round % 3 === 0 ? 4000 : 14_000);
      process.held -= process.oldGarbage;
      process.oldGarbage = 0;
      await clock.advance(2000);
    }
    expect(process).toMatchObject({ all: 1, returned: 1 });
  });

  it('waits twice as long after each collection that took more than 50 ms, and up to 640 s', async () => {
    const { clock, process, age } = keptProcess(400 * MIB);
    process.collectMs = 51;
    await clock.advance(2500);
    expect(process.all).toBe(1);
    process.busy = 0.15;
    const collectionsIn = async (seconds: number): Promise<number> => {
      const before = process.all;
      for (let at = 0; at < seconds; at += 10) {
        age(110 * MIB);
        await clock.advance(10_000);
      }
      return process.all - before;
    };
    // After 20, 40, 80, 160, 320 s.
    expect(await collectionsIn(620)).toBe(5);
    expect(await collectionsIn(3200)).toBe(5);
    process.collectMs = 50;
    expect(await collectionsIn(640)).toBe(1);
    expect(await collectionsIn(100)).toBe(10);
  });

  it('returns nothing while the thread is busy, and what is free once it is calm', async () => {
    const { clock, process } = keptProcess();
    await clock.advance(2500);
    process.busy = 0.2;
    await clock.advance(60_000);
    expect(process).toMatchObject({ all: 1, returned: 0 });
    process.busy = 0.19;
    await clock.advance(5000);
    expect(process.returned).toBe(1);
  });

  it('returns what is free at most once in ten seconds', async () => {
    const { clock, process, age } = keptProcess();
    await clock.advance(2500);
    process.busy = 0.2;
    await clock.advance(9000);
    process.busy = 0.1;
    age(50 * MIB);
    let last = 0;
    const gaps: number[] = [];
    for (let at = 0; at < 60_000; at += 100) {
      const before = process.returned;
      await clock.advance(100);
      if (at % 5000 === 0) age(50 * MIB);
      if (process.returned === before) continue;
      if (last > 0) gaps.push(at - last);
      last = at;
    }
    expect(gaps.length).toBeGreaterThan(2);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
  });

  it('reports once that free memory cannot be returned, and does not try again', async () => {
    const { clock, process, age } = keptProcess();
    process.returns = false;
    await clock.advance(12_500);
    age(50 * MIB);
    await clock.advance(60_000);
    expect(process.all).toBe(2);
    expect(process).toMatchObject({ returned: 1, failures: [new Error('not here')] });
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

  it('leaves the memory of the process alone in a thread of a task', () => {
    const memory = threadMemory();
    const opened = process.getBuiltinModule('node:sqlite').DatabaseSync.prototype;
    const loads = vi.spyOn(opened, 'loadExtension');
    onTestFinished(() => loads.mockRestore());
    memory.returnFree();
    expect(loads).not.toHaveBeenCalled();
  });

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
