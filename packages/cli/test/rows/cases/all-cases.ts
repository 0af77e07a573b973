import type { RowsCase } from '../rows-case.ts';
import { chainCases } from './chain-cases.ts';
import { changingCases } from './changing-cases.ts';
import { enrichment } from './enrichment.ts';
import { fraud } from './fraud.ts';
import { handCases } from './hand-cases.ts';
import { orderBook } from './order-book.ts';
import { people } from './people.ts';
import { readingsCase } from './readings.ts';
import { rowByRowCases } from './row-by-row-cases.ts';
import { tables } from './tables.ts';
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
