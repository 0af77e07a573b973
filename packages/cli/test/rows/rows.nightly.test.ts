import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plannerVersions } from '@levada/test-peers/engine';
import { rowsCases } from './cases/all-cases.ts';
import { describeRows, type RowsRun } from './describe-rows.ts';
import { RowsTable } from './rows-table.ts';

const root = new URL('../../../../', import.meta.url);

/** Versions of the engine, with commas, or `all`. */
const wanted = process.env['LEVADA_ROWS_VERSIONS'] ?? '2.2.0';
/** Names of cases, with commas. Default: all. */
const only = process.env['LEVADA_ROWS_CASES']?.split(',');
/** Path of a file for the table of constructs, from the root of the repository. Default: none. */
const tablePath = process.env['LEVADA_ROWS_TABLE'];

const versions = plannerVersions.filter((version) => wanted === 'all' || wanted.split(',').includes(version));
const cases = rowsCases.filter(({ name }) => only?.includes(name) ?? true);
const runs: readonly RowsRun[] = [
  { middle: 'no restart', parallelism: 2 },
  { middle: 'restart with state', parallelism: 1 },
  { middle: 'restart without state', parallelism: 1 },
];
const table = new RowsTable();

for (const version of versions)
  describeRows(version, cases, runs, (...outcome) => {
    table.add(...outcome);
    if (tablePath !== undefined)
      writeFileSync(fileURLToPath(new URL(tablePath, root)), table.markdown(cases));
  });
