import type { JobTable } from '../jobs/create-table.ts';
import type { GiveName } from '../jobs/input-tables.ts';
import type { JobFacts } from '../jobs/model-job.ts';
import type { Refusal } from '../jobs/refusal.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { PlacedAssertion } from './assertion.ts';
import type { Target } from './target-table.ts';

/** What an assertion is checked with. */
export interface CheckContext {
  readonly facts: JobFacts;
  readonly target: Target;
  readonly nameOf: GiveName;
  /** The consumer group of the test. */
  readonly group: string;
}

/** Rows of a query that are violations of an assertion. */
export interface Violations {
  /** The column that is looked at; undefined where it is not one. */
  readonly column: string | undefined;
  /** What was expected, for the inside of a literal. */
  readonly expected: string;
  /**
   * What the rows are: records under test, with their columns, or windows of such, with `window_start`, `window_end`, `records` and
   * `measured`.
   */
  readonly rows: 'records' | 'windows';
  /** After FROM. */
  readonly from: string;
  /** After WHERE; undefined where all rows are violations. */
  readonly where: string | undefined;
}

/** How an assertion is checked all the time. */
export interface Check {
  readonly violations: readonly Violations[];
  /** Tables and views of this check alone. */
  readonly tables?: readonly JobTable[];
  readonly views?: readonly string[];
  /** Nodes that the tables are of, in their order. */
  readonly reads?: readonly NodeId[];
}

/** Writes the check of one kind of assertion, or says why it cannot run all the time. */
export type WriteCheck = (assertion: PlacedAssertion, context: CheckContext) => Check | Refusal;
