import {
  type DeliveryGuarantee,
  deliveryGuarantees,
  type JobStart,
  jobStarts,
} from '@levada/stream-project-schema';
import { numberAt, textAt } from '../../parse/known-value.ts';
import { createObjectMemory, type ObjectMemory } from '../../resolve/object-memory.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { JobSettings } from '../job.ts';
import type { ModelPlan } from '../model-job.ts';
import { hasState } from '../state/has-state.ts';
import { settingDuration } from '../text/durations.ts';
import { setStatement } from '../text/sql-words.ts';

/** The settings that a model asks for. */
export function modelSettings({ definition: { node } }: ResolvedModel): JobSettings {
  const number = (key: string) => numberAt(node, `advanced.engine.${key}`)?.value;
  const start = textAt(node, 'advanced.engine.start')?.value;
  const delivery = textAt(node, 'advanced.engine.delivery')?.value;
  return {
    parallelism: number('parallelism'),
    checkpointIntervalMs: number('checkpoint_interval_ms'),
    stateTtlMs: number('state_ttl_ms'),
    start: start !== undefined && Object.hasOwn(jobStarts, start) ? (start as JobStart) : undefined,
    startMs: number('start_timestamp_ms'),
    delivery:
      delivery !== undefined && Object.hasOwn(deliveryGuarantees, delivery)
        ? (delivery as DeliveryGuarantee)
        : undefined,
  };
}

/** Between checkpoints. Without any, a job that fails reads everything again. */
const DEFAULT_INTERVAL_MS = 60_000;

/** From the one that reads most. */
const starts: readonly JobStart[] = ['earliest', 'resume', 'latest'];

/**
 * The settings of a job. Of its models the one counts that asks for most: the most parallelism, the shortest time between checkpoints,
 * the longest time for state, the earliest start, exactly once. State is kept without limit where a model that has some does not
 * say how long.
 */
export function jobSettings(
  plans: readonly Pick<ModelPlan, 'model' | 'query'>[],
  memory: ObjectMemory = createObjectMemory(),
): JobSettings & {
  readonly checkpointIntervalMs: number;
} {
  const all = plans.map(({ model }) => modelSettings(model));
  const numbers = (of: 'parallelism' | 'checkpointIntervalMs' | 'startMs') =>
    all.flatMap((one) => one[of] ?? []);
  const stateful = plans
    .filter(({ query }) => memory.recall(hasState, query, []))
    .map(({ model }) => modelSettings(model));
  const times = (stateful.length > 0 ? stateful : all).flatMap(({ stateTtlMs }) => stateTtlMs ?? []);
  const isBounded = stateful.every(({ stateTtlMs }) => stateTtlMs !== undefined);
  return {
    parallelism: largest(numbers('parallelism')),
    checkpointIntervalMs: smallest(numbers('checkpointIntervalMs')) ?? DEFAULT_INTERVAL_MS,
    stateTtlMs: isBounded ? largest(times) : undefined,
    start: starts.find((start) => all.some((one) => one.start === start)),
    startMs: smallest(numbers('startMs')),
    delivery: all.some(({ delivery }) => delivery === 'exactly_once') ? 'exactly_once' : undefined,
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
  { parallelism, checkpointIntervalMs, stateTtlMs }: ReturnType<typeof jobSettings>,
  sharesRows: boolean,
): readonly string[] {
  return [
    setStatement('pipeline.name', name),
    setStatement('table.local-time-zone', 'UTC'),
    ...(parallelism === undefined ? [] : [setStatement('parallelism.default', String(parallelism))]),
    setStatement('execution.checkpointing.interval', settingDuration(checkpointIntervalMs)),
    setStatement('restart-strategy.type', restartStrategy),
    ...(stateTtlMs === undefined ? [] : [setStatement('table.exec.state.ttl', settingDuration(stateTtlMs))]),
    // The rows of a view are computed once for all that read it: UUID() gives each row one value, and a join has one state
    ...(sharesRows ? [setStatement('table.optimizer.reuse-optimize-block-with-digest-enabled', 'true')] : []),
  ];
}

/** A job that fails is started again from its last checkpoint, without limit, and waits longer each time: up to a minute. */
export const restartStrategy = 'exponential-delay';
