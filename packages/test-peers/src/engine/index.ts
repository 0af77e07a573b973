export { describePlanner } from './describe-planner.ts';
export type { PlannedColumn, Planner, PlannerAnswer, PlannerVersion } from './planner.ts';
export { plannerVersions, startPlanner } from './planner.ts';
