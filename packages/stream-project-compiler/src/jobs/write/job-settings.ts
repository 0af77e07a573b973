import {
  type DeliveryGuarantee,
  deliveryGuarantees,
  type JobStart,
  jobStarts,
} from '@levada/stream-project-schema';
import { numberAt, textAt } from '../../parse/known-value.ts';
import type { NodeId } from '../../resolve/node-id.ts';
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

/**
 * The settings of a job. Of its models the one counts that asks for most: the most parallelism, the shortest time between checkpoints,
 * the longest time for state, the earliest start, exactly once. State is kept without limit where a model that has some does not
 * say how long, and reading begins at the beginning where a model does not say where.
 */
export function jobSettings(
  plans: readonly Pick<ModelPlan, 'model' | 'query' | 'topics' | 'within'>[],
  memory: ObjectMemory = createObjectMemory(),
): JobSettings & {
  readonly checkpointIntervalMs: number;
} {
  const all = plans.map(({ model }) => modelSettings(model));
  const numbers = (of: 'parallelism' | 'checkpointIntervalMs') => all.flatMap((one) => one[of] ?? []);
  const stateful = plans
    .filter(({ query }) => memory.recall(hasState, query, []))
    .map(({ model }) => modelSettings(model));
  const times = (stateful.length > 0 ? stateful : all).flatMap(({ stateTtlMs }) => stateTtlMs ?? []);
  const isBounded = stateful.every(({ stateTtlMs }) => stateTtlMs !== undefined);
  const followers = startFollowers(plans);
  return {
    parallelism: largest(numbers('parallelism')),
    checkpointIntervalMs: smallest(numbers('checkpointIntervalMs')) ?? DEFAULT_INTERVAL_MS,
    stateTtlMs: isBounded ? largest(times) : undefined,
    ...earliestStart(plans.flatMap(({ model }) => (followers.has(model.id) ? modelSettings(model) : []))),
    delivery: all.some(({ delivery }) => delivery === 'exactly_once') ? 'exactly_once' : undefined,
  };
}

/**
 * Models whose rows depend on where their job begins to read. Topics with the latest row of each key are always read from the
 * beginning, so that models of nothing but these have no say in it.
 */
export function startFollowers(
  plans: readonly Pick<ModelPlan, 'model' | 'topics' | 'within'>[],
): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
  for (const { model, topics, within } of plans) {
    const follows = [...topics.values()].some(({ node, rows }) =>
      within.has(node) ? found.has(node) : rows !== 'upsert',
    );
    if (follows) found.add(model.id);
  }
  return found;
}

/** Of a time and the position of a group nobody knows which is earlier: then reading begins at the beginning. */
function earliestStart(asked: readonly JobSettings[]): Pick<JobSettings, 'start' | 'startMs'> {
  const isAny = (start: JobStart | undefined) =>
    asked.some((one) => one.startMs === undefined && one.start === start);
  const startMs = smallest(asked.flatMap((one) => one.startMs ?? []));
  if (asked.every((one) => one.start === undefined && one.startMs === undefined))
    return { start: undefined, startMs: undefined };
  if (isAny(undefined) || isAny('earliest') || (isAny('resume') && startMs !== undefined))
    return { start: 'earliest', startMs: undefined };
  if (isAny('resume')) return { start: 'resume', startMs: undefined };
  return startMs === undefined ? { start: 'latest', startMs } : { start: undefined, startMs };
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
