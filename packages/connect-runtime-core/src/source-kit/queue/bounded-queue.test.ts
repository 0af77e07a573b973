import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedQueue } from './bounded-queue.ts';

interface Item {
  readonly id: number;
  readonly bytes: number;
}

type Step =
  | { readonly do: 'offer'; readonly bytes: number }
  | { readonly do: 'burst' }
  | { readonly do: 'take'; readonly max: number; readonly maxBytes?: number | undefined }
  | { readonly do: 'resize'; readonly capacity: number }
  | { readonly do: 'clear' };

interface Bounds {
  readonly capacity: number;
  readonly capacityBytes: number;
}

/** The results of the queue, step by step. */
async function playQueue(bounds: Bounds, steps: readonly Step[]): Promise<readonly unknown[]> {
  const queue = new BoundedQueue<Item>(bounds);
  const answers: unknown[] = [];
  let id = 0;
  const offer = (bytes: number): void => {
    id += 1;
    answers.push(queue.offer({ id, bytes }, bytes) || queue.refusal());
  };
  for (const step of steps) {
    if (step.do === 'offer') offer(step.bytes);
    else if (step.do === 'burst') for (let i = 0; i < 70; i += 1) offer(1);
    else if (step.do === 'resize') queue.resize(step.capacity);
    else if (step.do === 'clear') answers.push(queue.clear());
    else answers.push(queue.size === 0 ? [] : await queue.take(step.max, step.maxBytes));
    answers.push([queue.size, queue.bytes]);
  }
  queue.close();
  answers.push(queue.offer({ id, bytes: 0 }, 0), await queue.take(1000), await queue.take(1));
  return answers;
}

/** The expected results, from a simple model of the queue. */
function playModel(bounds: Bounds, steps: readonly Step[]): readonly unknown[] {
  let { capacity } = bounds;
  const items: Item[] = [];
  const answers: unknown[] = [];
  const bytesHeld = (): number => items.reduce((sum, item) => sum + item.bytes, 0);
  let id = 0;
  const offer = (bytes: number): void => {
    id += 1;
    if (items.length >= capacity) answers.push('queue_full');
    else if (bytesHeld() + bytes > bounds.capacityBytes) answers.push('queue_bytes');
    else {
      items.push({ id, bytes });
      answers.push(true);
    }
  };
  for (const step of steps) {
    if (step.do === 'offer') offer(step.bytes);
    else if (step.do === 'burst') for (let i = 0; i < 70; i += 1) offer(1);
    else if (step.do === 'resize') capacity = step.capacity;
    else if (step.do === 'clear') answers.push(items.splice(0).length);
    else answers.push(items.splice(0, itemsWithin(items, step)));
    answers.push([items.length, bytesHeld()]);
  }
  answers.push(false, items.splice(0, 1000), items);
  return answers;
}

function itemsWithin(
  items: readonly Item[],
  { max, maxBytes = Infinity }: Extract<Step, { do: 'take' }>,
): number {
  let bytes = 0;
  for (const [count, item] of items.slice(0, max).entries()) {
    bytes += item.bytes;
    if (bytes > maxBytes) return Math.max(1, count);
  }
  return max;
}

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('offer'), bytes: fc.nat(40) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('take'),
        max: fc.integer({ min: 1, max: 90 }),
        maxBytes: fc.option(fc.nat(400), { nil: undefined }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('resize'), capacity: fc.integer({ min: 1, max: 200 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'clear' }) },
    { weight: 1, arbitrary: fc.constant({ do: 'burst' }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 80 },
);

const bounds = fc.record({
  capacity: fc.integer({ min: 1, max: 300 }),
  capacityBytes: fc.integer({ min: 0, max: 4000 }),
});

describe('BoundedQueue', () => {
  it('does what the model does, whatever the order of calls', async () => {
    const property = fc.asyncProperty(bounds, steps, async (limits, sequence) => {
      expect(await playQueue(limits, sequence)).toEqual(playModel(limits, sequence));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('hands an item to a take that waits', async () => {
    const queue = new BoundedQueue<string>({ capacity: 2 });
    const taken = queue.take(5);
    queue.offer('a', 1);
    queue.offer('b', 1);
    expect(await taken).toEqual(['a', 'b']);
  });

  it('wakes a take that waits when it is to, with all that came until then', async () => {
    const wakes: (() => void)[] = [];
    const queue = new BoundedQueue<string>({ capacity: 9, wake: (resume) => wakes.push(resume) });
    const taken = queue.take(9);
    for (const item of ['a', 'b', 'c']) queue.offer(item, 1);
    expect(wakes).toHaveLength(1);
    wakes[0]?.();
    expect(await taken).toEqual(['a', 'b', 'c']);
  });

  it('waits on after what woke it is gone again', async () => {
    const queue = new BoundedQueue<string>({ capacity: 2 });
    const taken = queue.take(5);
    queue.offer('a', 1);
    queue.clear();
    queue.offer('b', 1);
    expect(await taken).toEqual(['b']);
  });

  it('hands out what is left after close, and then rejects with the error, again and again', async () => {
    const queue = new BoundedQueue<string>({ capacity: 2 });
    queue.offer('a', 1);
    queue.close(new Error('gave up'));
    queue.close(new Error('a later close is ignored'));
    expect(queue.closed).toBe(true);
    expect(await queue.take(1)).toEqual(['a']);
    await expect(queue.take(1)).rejects.toThrow('gave up');
    await expect(queue.take(1)).rejects.toThrow('gave up');
  });

  it('ends a take that waits when it is closed', async () => {
    const plain = new BoundedQueue<string>({ capacity: 1 });
    const failed = new BoundedQueue<string>({ capacity: 1 });
    const [ended, rejected] = [plain.take(1), failed.take(1)];
    plain.close();
    failed.close(new Error('gave up'));
    expect(await ended).toEqual([]);
    await expect(rejected).rejects.toThrow('gave up');
  });

  it('has one consumer', async () => {
    const queue = new BoundedQueue<string>({ capacity: 1 });
    const first = queue.take(1);
    await expect(queue.take(1)).rejects.toThrow('a bounded queue can have only one consumer');
    queue.close();
    await first;
  });

  it('keeps items above a smaller capacity, and takes none until there is room', async () => {
    const queue = new BoundedQueue<number>({ capacity: 4 });
    for (let i = 0; i < 4; i += 1) queue.offer(i, 1);
    queue.resize(2);
    expect(queue.capacity).toBe(2);
    expect(await queue.take(2)).toEqual([0, 1]);
    expect(queue.offer(4, 1)).toBe(false);
    expect(await queue.take(1)).toEqual([2]);
    expect(queue.offer(4, 1)).toBe(true);
    expect(await queue.take(9)).toEqual([3, 4]);
  });

  it('refuses a capacity below one', () => {
    const problem = 'queue capacity must be at least 1, got';
    expect(() => new BoundedQueue({ capacity: 0 })).toThrow(problem);
    expect(() => new BoundedQueue({ capacity: Number.NaN })).toThrow(problem);
    expect(() => new BoundedQueue({ capacity: 1 }).resize(0)).toThrow(problem);
  });

  it('refuses an item that is larger than all its bytes', () => {
    const queue = new BoundedQueue<string>({ capacity: 5, capacityBytes: 10 });
    expect(queue.offer('big', 11)).toBe(false);
    expect(queue.refusal()).toBe('queue_bytes');
    expect(queue.offer('fits', 10)).toBe(true);
  });
});
