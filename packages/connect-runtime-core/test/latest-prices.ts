import type { SourceHandle } from '@levada/connect-runtime-core';

interface Price {
  readonly symbol: string;
  readonly price: number;
}

export interface LatestPrices {
  price(symbol: string): number | undefined;
  /** What /ready answers. */
  ready(): boolean;
  /** Prices that were lost since the start. */
  lost(): number;
  /** Resolves at the end, rejects when the feed has failed for good. */
  readonly over: Promise<void>;
  close(): Promise<void>;
}

/** The service: the latest price of each symbol of a feed. */
export function latestPrices(source: SourceHandle): LatestPrices {
  const prices = new Map<string, number>();
  let lost = 0;
  source.on('dropped', ({ count }) => {
    lost += count;
  });
  const read = async (): Promise<void> => {
    for await (const { value } of source.json<Price>()) prices.set(value.symbol, value.price);
  };
  const tooOld = (): boolean => Number(source.status()['MillisSinceLastMessage']) > 60_000;
  return {
    price: (symbol) => prices.get(symbol),
    ready: () => source.health().status === 'up' && !tooOld(),
    lost: () => lost,
    over: read(),
    close: async () => {
      await source.close();
    },
  };
}
