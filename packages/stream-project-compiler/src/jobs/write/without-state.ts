import { isAppend } from '../../changelog/changes.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import type { ObjectMemory } from '../../resolve/object-memory.ts';
import type { JobSettings, WithoutState } from '../job.ts';
import type { ModelPlan } from '../model-job.ts';
import { hasState } from '../state/has-state.ts';
import type { TopicRows } from '../topic-table.ts';
import { startFollowers } from './job-settings.ts';

/** How a topic is after everything was read again. */
const readAgain: Readonly<Record<TopicRows, WithoutState>> = {
  append: 'repeats',
  upsert: 'replaces',
  changelog: 'contradicts',
};

/** What a start of a job without its state does to the topic of each model. `plans`: each after those that it reads. */
export function withoutState(
  plans: readonly ModelPlan[],
  { start, startMs }: Pick<JobSettings, 'start' | 'startMs'>,
  memory: ObjectMemory,
): (model: NodeId) => WithoutState {
  const followers = startFollowers(plans);
  const forgetful = new Set<NodeId>();
  const found = new Map<NodeId, WithoutState>();
  const readsAll = startMs === undefined && (start ?? 'earliest') === 'earliest';
  for (const plan of plans) {
    const { model, sink } = plan;
    if (followers.has(model.id) && keepsRows(plan, { followers, forgetful, memory })) forgetful.add(model.id);
    const again = readAgain[sink.rows];
    if (readsAll || !followers.has(model.id)) found.set(model.id, again);
    else if (forgetful.has(model.id)) found.set(model.id, sink.rows === 'changelog' ? again : 'forgets');
    else found.set(model.id, startMs === undefined ? 'continues' : again);
  }
  return (id) => found.get(id) ?? 'repeats';
}

/** Whether rows of a model depend on rows that were read before, in the model itself or in those of its job that it reads. */
function keepsRows(
  { query, topics, within, sink, inference }: ModelPlan,
  {
    followers,
    forgetful,
    memory,
  }: {
    readonly followers: ReadonlySet<NodeId>;
    readonly forgetful: ReadonlySet<NodeId>;
    readonly memory: ObjectMemory;
  },
): boolean {
  if (memory.recall(hasState, query, [])) return true;
  const inputs = [...topics.values()];
  if (inputs.some(({ node }) => within.has(node) && forgetful.has(node))) return true;
  // By the key the engine keeps the last row of each key of changes, and so does a table whose key is not the one of the query
  const changing = inputs.filter(
    ({ node, rows }) => rows !== 'append' && (within.has(node) ? followers.has(node) : rows === 'changelog'),
  );
  const isKeyed = changing.some(({ node, key }) => !within.has(node) && key.length > 0);
  const isChange = inference.changes !== undefined && !isAppend(inference.changes.query);
  return isKeyed || (changing.length > 0 && isChange && sink.rows === 'upsert');
}
