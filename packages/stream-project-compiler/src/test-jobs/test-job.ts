import type { Job, JobInput } from '../jobs/job.ts';
import type { Setting } from '../resolve/settings.ts';
import type { PlacedAssertion } from './assertion.ts';

/** A topic that a continuous test writes. */
export interface TestOutput {
  readonly topic: string;
  /** Names of its tables in the statements: one for each form of records. */
  readonly tables: readonly string[];
  readonly holds: 'violations' | 'failed-records';
}

/** What came out for one assertion. */
export interface CheckedAssertion {
  readonly assertion: PlacedAssertion;
  /** It cannot fail, as the types of the columns say. */
  readonly alwaysHolds: boolean;
}

/** The job of a continuous test: statements that the engine runs in one session, in their order. */
export interface TestJob extends Pick<Job, 'version' | 'statements' | 'assumed'> {
  readonly test: string;
  readonly cluster: Setting<string> | undefined;
  readonly reads: readonly JobInput[];
  readonly writes: readonly TestOutput[];
  /** Assertions that the statements check, or that need no statement. */
  readonly checked: readonly CheckedAssertion[];
}
