import { chainCases } from './chain-cases.ts';
import { handCases } from './hand-cases.ts';
import { enrichment } from './projects/enrichment.ts';
import { fraud } from './projects/fraud.ts';
import { orderBook } from './projects/order-book.ts';
import { people } from './projects/people.ts';
import { tables } from './projects/tables.ts';
import type { RowsCase } from './rows-case.ts';
import { singleCases } from './single-cases.ts';

/** All cases. */
export const rowsCases: readonly RowsCase[] = [
  ...singleCases,
  ...chainCases,
  ...handCases,
  fraud,
  enrichment,
  tables,
  orderBook,
  people,
];
