import { numberAt } from '../../parse/known-value.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { JobSettings } from '../job.ts';
import type { ModelPlan } from '../model-job.ts';
import { hasState } from '../state-form.ts';
import { settingDuration } from '../text/durations.ts';
import { setStatement } from '../text/sql-words.ts';

/** The settings that a model asks for. */
export function modelSettings({ definition }: ResolvedModel): JobSettings {
  const number = (key: string) => numberAt(definition.node, `advanced.engine.${key}`)?.value;
  return {
    parallelism: number('parallelism'),
    checkpointIntervalMs: number('checkpoint_interval_ms'),
    stateTtlMs: number('state_ttl_ms'),
  };
}

/**
 * The settings of a job: the most parallelism, the shortest time between checkpoints, and the longest time for state that one of its
 * models asks for. State is kept without limit where a model that has some does not say how long.
 */
export function jobSettings(plans: readonly Pick<ModelPlan, 'model' | 'query'>[]): JobSettings {
  const all = plans.map(({ model }) => modelSettings(model));
  const numbers = (of: keyof JobSettings) => all.flatMap((one) => one[of] ?? []);
  const stateful = all.filter((_, index) => {
    const plan = plans[index];
    return plan !== undefined && hasState(plan.query);
  });
  const isBounded = stateful.every(({ stateTtlMs }) => stateTtlMs !== undefined);
  return {
    parallelism: largest(numbers('parallelism')),
    checkpointIntervalMs: smallest(numbers('checkpointIntervalMs')),
    stateTtlMs: isBounded
      ? largest((stateful.length > 0 ? stateful : all).flatMap(({ stateTtlMs }) => stateTtlMs ?? []))
      : undefined,
  };
}

function largest(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

function smallest(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

/** Statements that give a session the settings of a job. Times without a zone are those of UTC. */
export function setStatements(
  name: string,
  { parallelism, checkpointIntervalMs, stateTtlMs }: JobSettings,
  isFused: boolean,
): readonly string[] {
  return [
    setStatement('pipeline.name', name),
    setStatement('table.local-time-zone', 'UTC'),
    ...(parallelism === undefined ? [] : [setStatement('parallelism.default', String(parallelism))]),
    ...(checkpointIntervalMs === undefined
      ? []
      : [setStatement('execution.checkpointing.interval', settingDuration(checkpointIntervalMs))]),
    ...(stateTtlMs === undefined ? [] : [setStatement('table.exec.state.ttl', settingDuration(stateTtlMs))]),
    // The rows of a view are computed once for all that read it: UUID() gives each row one value, and a join has one state
    ...(isFused ? [setStatement('table.optimizer.reuse-optimize-block-with-digest-enabled', 'true')] : []),
  ];
}
