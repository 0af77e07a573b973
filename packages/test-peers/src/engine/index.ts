import { afterAll } from 'vitest';
import { describeProgram } from '../programs/index.ts';
import { type Engine, startEngine } from './engine.ts';
import { engineProgram, type PlannerVersion } from './engine-program.ts';
import { type Planner, startPlanner } from './planner.ts';

export type { Engine, FailedJob } from './engine.ts';
export {
  type PlannerVersion,
  plannerVersions,
} from './engine-program.ts';
export type { GatewaySession, StatementRows } from './gateway-session.ts';
export { innermostCause, StatementError } from './gateway-session.ts';
export type { Planner } from './planner.ts';
export { startPlanner } from './planner.ts';
export type { PlannedColumn, PlannerAnswer } from './planner-answer.ts';
export { sourceFormsYaml } from './source-forms.ts';

/** A suite with the planner of a release. Where it cannot be started the suite is skipped and its name says why; with `CI=true` it fails. */
export function describePlanner(
  name: string,
  version: PlannerVersion,
  body: (planner: () => Planner) => void,
): void {
  const { unavailable } = engineProgram(version, 'Planner');
  describeStarted({ name, version, unavailable, start: startPlanner }, body);
}

/** As {@link describePlanner}, with a cluster and its SQL gateway. */
export function describeEngine(
  name: string,
  version: PlannerVersion,
  body: (engine: () => Engine) => void,
): void {
  const { unavailable } = engineProgram(version, 'Engine');
  describeStarted({ name, version, unavailable, start: startEngine }, body);
}

interface StartedSuite<P> {
  readonly name: string;
  readonly version: PlannerVersion;
  readonly unavailable: () => string | undefined;
  readonly start: (version: PlannerVersion) => Promise<P>;
}

function describeStarted<P extends { stop(): Promise<void> }>(
  { name, version, unavailable, start }: StartedSuite<P>,
  body: (running: () => P) => void,
): void {
  const started: P[] = [];
  const make = async (): Promise<P> => {
    const running = await start(version);
    started.push(running);
    return running;
  };
  describeProgram(`${name}, engine ${version}`, { unavailable, make }, (running) => {
    afterAll(() => Promise.all(started.map((one) => one.stop())));
    body(running);
  });
}
