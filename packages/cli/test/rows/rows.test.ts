import { rowsCases } from './cases/all-cases.ts';
import { describeRows } from './describe-rows.ts';

// A tenth of the cases; rows.nightly.test.ts runs all of them.
describeRows(
  '2.2.0',
  rowsCases.filter(({ quick }) => quick === true),
  [{ middle: 'restart with state', parallelism: 1 }],
);
