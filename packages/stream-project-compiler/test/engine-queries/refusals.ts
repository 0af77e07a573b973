import type { PlannerVersion } from '@levada/test-peers/engine';
import { jsonRows } from '../rows.ts';

/** A query that planners refuse, and the error that we report for it. */
export interface EngineRefusal {
  readonly sql: string;
  readonly code: string;
  /** The line of the query, from 1. */
  readonly line: number;
  /** Versions that take it. */
  readonly accepted?: readonly PlannerVersion[];
}

/** Queries over the tables of `tables.sql`, one for each kind of refusal. */
export const refusals = jsonRows<EngineRefusal>('engine-queries/refusals.jsonl');

/** Whether the planner of a version takes the query. */
export function accepts({ accepted = [] }: EngineRefusal, version: PlannerVersion): boolean {
  return accepted.includes(version);
}
