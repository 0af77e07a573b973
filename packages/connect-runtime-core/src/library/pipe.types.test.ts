import { expectTypeOf, it } from 'vitest';
import { each } from '../sinks/each.ts';
import { eachBatch } from '../sinks/each-batch.ts';
import type { Sink } from '../sinks/sink.ts';
import { pipe } from './pipe.ts';
import type { SourceHandle } from './source-handle.ts';

it('gives callbacks the values of a source, and refuses sinks of other values', () => {
  // Checked by the compiler, never called.
  const typed = (source: SourceHandle<{ readonly price: number }>, numbers: Sink<number>): void => {
    pipe(
      source,
      each(async ({ value }) => expectTypeOf(value).toEqualTypeOf<{ readonly price: number }>()),
    );
    pipe(
      source,
      eachBatch((records) => expectTypeOf(records[0]?.value.price).toEqualTypeOf<number | undefined>(), {
        retries: 2,
      }),
    );
    pipe(
      source.limit(3).until(({ value }) => value.price > 1),
      each(({ value }) => expectTypeOf(value.price).toBeNumber()),
    );
    // @ts-expect-error a sink of numbers does not take prices
    pipe(source, numbers);
    // @ts-expect-error nor when there are few
    pipe(source.limit(3), numbers);
    // @ts-expect-error batches are for loops
    pipe(source.batches(), numbers);
  };
  const untyped = (source: SourceHandle): void => {
    pipe(
      source,
      each(({ value }) => expectTypeOf(value).toBeUnknown()),
    );
  };
  expectTypeOf(typed).toBeFunction();
  expectTypeOf(untyped).toBeFunction();
});
