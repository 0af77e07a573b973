import { writeFileSync } from 'node:fs';
import { type PlannerVersion, plannerVersions } from '@levada/test-peers/engine';
import { afterAll } from 'vitest';
import { rowsCases } from './all-cases.ts';
import { describeRows, type RowsRun } from './describe-rows.ts';
import { RowsTable } from './rows-table.ts';

/** Versions of the engine, separated by commas, or `all`. */
const wanted = process.env['LEVADA_ROWS_VERSIONS'] ?? '2.2.0';
/** Path of a file for the table of constructs. */
const tablePath = process.env['LEVADA_ROWS_TABLE'];

const versions =
  wanted === 'all'
    ? plannerVersions
    : plannerVersions.filter((version) => wanted.split(',').includes(version));
const runs: readonly RowsRun[] = [
  { middle: 'no restart', parallelism: 2 },
  { middle: 'restart with state', parallelism: 1 },
  { middle: 'restart without state', parallelism: 1 },
];
const table = new RowsTable();

for (const version of versions as readonly PlannerVersion[])
  describeRows(version, rowsCases, runs, (...outcome) => table.add(...outcome));

afterAll(() => {
  if (tablePath !== undefined) writeFileSync(tablePath, table.markdown(rowsCases));
});
