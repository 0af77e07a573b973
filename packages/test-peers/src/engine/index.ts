import { afterAll } from 'vitest';
import { describeProgram } from '../programs/index.ts';
import { type Planner, startPlanner } from './planner.ts';
import { type PlannerVersion, plannerProgram } from './planner-program.ts';

export type { Planner } from './planner.ts';
export { startPlanner } from './planner.ts';
export type { PlannedColumn, PlannerAnswer } from './planner-answer.ts';
export { type PlannerVersion, plannerVersions } from './planner-program.ts';

/** A suite with the planner of a release. Where it cannot be started the suite is skipped and its name says why; with `CI=true` it fails. */
export function describePlanner(
  name: string,
  version: PlannerVersion,
  body: (planner: () => Planner) => void,
): void {
  const program = plannerProgram(version);
  const started: Planner[] = [];
  const make = async (): Promise<Planner> => {
    const planner = await startPlanner(version);
    started.push(planner);
    return planner;
  };
  describeProgram(`${name}, engine ${version}`, { unavailable: program.unavailable, make }, (planner) => {
    afterAll(() => Promise.all(started.map((one) => one.stop())));
    body(planner);
  });
}
