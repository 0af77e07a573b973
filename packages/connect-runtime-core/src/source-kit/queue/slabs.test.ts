import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { SLAB_BYTES } from '../../platform/new-slab.ts';
import { waitFor } from '../../testing/wait-for.ts';
import type { HeldBytes } from './release-chunk.ts';
import { Slabs } from './slabs.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MIB = 1024 * 1024;

describe('slabs', () => {
  it('hold values of many bursts side by side', () => {
    const slabs = new Slabs();
    const items: readonly HeldBytes[] = [[1, 2], [], [3]].map((bytes) => ({ value: Uint8Array.from(bytes) }));
    slabs.move(items.slice(0, 2));
    slabs.move(items.slice(2));
    slabs.move([]);
    expect(items.map(({ value }) => [...value])).toEqual([[1, 2], [], [3]]);
    expect(new Set(items.map(({ value }) => value.buffer)).size).toBe(1);
    expect(items[0]?.value.buffer.byteLength).toBe(SLAB_BYTES);
  });

  it('are followed by another one when they are full', () => {
    const slabs = new Slabs();
    const items: readonly HeldBytes[] = [20, 13, 1].map((mib) => ({ value: new Uint8Array(mib * MIB) }));
    for (const item of items) slabs.move([item]);
    const [first, second, third] = items.map(({ value }) => value.buffer);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('leave values alone that are too large for them', () => {
    const item: HeldBytes = { value: new Uint8Array(SLAB_BYTES + 1) };
    const { value } = item;
    new Slabs().move([item]);
    expect(item.value).toBe(value);
  });

  it('go with the last value in them', async () => {
    const slabs = new Slabs();
    const moved = (): WeakRef<object> => {
      const item: HeldBytes = { value: new Uint8Array(1) };
      slabs.move([item]);
      return new WeakRef(item.value.buffer);
    };
    const slab = moved();
    await waitFor(() => {
      collectGarbage();
      return slab.deref() === undefined;
    });
    const item: HeldBytes = { value: Uint8Array.of(7) };
    slabs.move([item]);
    expect([...item.value]).toEqual([7]);
  });
});
