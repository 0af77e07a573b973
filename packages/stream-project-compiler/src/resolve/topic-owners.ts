import type { Definition } from '../parse/definition.ts';
import { objectAt, textAt } from '../parse/known-value.ts';
import { type NodeId, nodeId } from './node-id.ts';

/** Sources and models by the topic that they have: models before sources, otherwise in order of the files. */
export type TopicOwners = ReadonlyMap<string, readonly NodeId[]>;

/**
 * Who has which topic. The topic of a model that says no name has the name of the model, by which it is found anyway. Sources
 * with a `cluster` of their own are left out: their topics are others.
 */
export function topicOwners(
  models: Iterable<Definition<'model'>>,
  sources: Iterable<Definition<'source'>>,
): TopicOwners {
  const owners = new Map<string, NodeId[]>();
  const add = (topic: string | undefined, id: NodeId) => {
    if (topic === undefined) return;
    const known = owners.get(topic);
    if (known === undefined) owners.set(topic, [id]);
    else known.push(id);
  };
  for (const model of models) add(topicOfModel(model), nodeId('model', model.name ?? ''));
  for (const { name, value } of sources) {
    if (value?.cluster === undefined) add(value?.topic, nodeId('source', name ?? ''));
  }
  return owners;
}

/** A virtual topic has the name that the gateway serves it by; a sink has no topic. */
function topicOfModel({ node }: Definition<'model'>): string | undefined {
  const own = textAt(node, 'advanced.topic.name')?.value;
  if ((objectAt(node, 'advanced.gateway')?.entries.size ?? 0) > 0) {
    return textAt(node, 'advanced.gateway.virtual_topic.name')?.value ?? own;
  }
  return node.entries.has('from') && !node.entries.has('sql') ? undefined : own;
}
