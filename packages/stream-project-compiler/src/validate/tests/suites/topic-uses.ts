import type { Definition } from '../../../parse/definition.ts';
import { textAt } from '../../../parse/known-value.ts';
import { type NodeId, nodeId } from '../../../resolve/node-id.ts';
import type { Reference } from '../../../resolve/reference.ts';
import type { ResolvedModel } from '../../../resolve/resolved-project.ts';
import type { RuleContext } from '../../rule.ts';

/** Which sources and models use which topic. */
export interface TopicUses {
  /** The topic of a source, or that a model writes. Undefined for a sink, and where it cannot be told. */
  readonly topicOf: (id: NodeId) => string | undefined;
  /** Topics that a model or source gets its records from: those of what it reads. */
  readonly inputsOf: (id: NodeId) => readonly string[];
  /** Models with SQL by the topic that they write; the first of each. */
  readonly writers: ReadonlyMap<string, Definition<'model'>>;
}

/** Looks at the topics of a project once. */
export function topicUses({ project }: RuleContext): TopicUses {
  const { sources, models } = project.resolved;
  const topics = new Map<NodeId, string>();
  const writers = new Map<string, Definition<'model'>>();
  for (const [name, { node }] of sources) {
    const topic = textAt(node, 'topic')?.value;
    if (topic !== undefined) topics.set(nodeId('source', name), topic);
  }
  for (const model of models.values()) {
    const kind = project.materialized.get(model.name)?.kind;
    const { topicName } = model.settings;
    if (topicName === undefined || topicName.unsure === true || (kind !== 'engine' && kind !== 'topic'))
      continue;
    const topic = topicName.value;
    topics.set(model.id, topic);
    if (model.sql !== undefined && !writers.has(topic)) writers.set(topic, model.definition);
  }
  const byId = new Map<NodeId, ResolvedModel>([...models.values()].map((model) => [model.id, model]));
  return {
    topicOf: (id) => topics.get(id),
    inputsOf: (id) => (byId.get(id)?.inputs ?? []).flatMap((input) => topicRead(input, topics)),
    writers,
  };
}

/** A name in `from` that is neither a model nor a source is a topic. */
function topicRead(
  { target, kind, name }: Reference,
  topics: ReadonlyMap<NodeId, string>,
): readonly string[] {
  const topic = target === undefined ? (kind === 'either' ? name : undefined) : topics.get(target);
  return topic === undefined ? [] : [topic];
}
