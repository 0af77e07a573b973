import { chainCases } from './chain-cases.ts';
import { changingCases } from './changing-cases.ts';
import { handCases } from './hand-cases.ts';
import { enrichment } from './projects/enrichment.ts';
import { fraud } from './projects/fraud.ts';
import { orderBook } from './projects/order-book.ts';
import { people } from './projects/people.ts';
import { readingsCase } from './projects/readings.ts';
import { tables } from './projects/tables.ts';
import { rowByRowCases } from './row-by-row-cases.ts';
import type { RowsCase } from './rows-case.ts';
import { timedCases } from './timed-cases.ts';

/** All cases. */
export const rowsCases: readonly RowsCase[] = [
  ...rowByRowCases,
  ...changingCases,
  ...timedCases,
  ...chainCases,
  ...handCases,
  fraud,
  enrichment,
  tables,
  orderBook,
  people,
  readingsCase,
];
