import type { InferredProject } from '../infer/infer-project.ts';
import { textAt } from '../parse/known-value.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { Reference } from '../resolve/reference.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';

/** Topics of sources and models, as those that read them know them. */
export interface TopicNames {
  /** Topic of a source, output topic of a model, name of a virtual topic; undefined for sinks and when it cannot be determined. */
  readonly of: (node: NodeId) => string | undefined;
  /** Topics that a model reads, each once, in the order in which the model names them. */
  readonly readBy: (model: ResolvedModel) => readonly string[];
  /** The physical topic of a virtual topic, through any number of virtual topics between them. */
  readonly physical: (model: ResolvedModel) => string | undefined;
}

/** The topics of a project. */
export function topicNames({ resolved, materialized }: InferredProject): TopicNames {
  const { sources, models } = resolved;
  const modelOf = (node: NodeId) => models.get(node.slice('model:'.length));
  const of = (node: NodeId): string | undefined => {
    if (node.startsWith('source:')) return sources.get(node.slice('source:'.length))?.value?.topic;
    const model = modelOf(node);
    if (model === undefined) return undefined;
    const kind = materialized.get(model.name)?.kind;
    if (kind === undefined || kind === 'sink') return undefined;
    return kind === 'virtual_topic' ? virtualName(model) : model.settings.topicName?.value;
  };
  const inputTopic = ({ target, kind, name }: Reference): string | undefined => {
    if (target !== undefined) return of(target);
    return kind === 'either' ? name : undefined;
  };
  const virtualInput = (input: Reference | undefined): ResolvedModel | undefined => {
    const model = input?.target?.startsWith('model:') === true ? modelOf(input.target) : undefined;
    return model !== undefined && materialized.get(model.name)?.kind === 'virtual_topic' ? model : undefined;
  };
  const physical = (model: ResolvedModel): string | undefined => {
    const seen = new Set<ResolvedModel>();
    let at = model;
    for (let next = virtualInput(at.inputs[0]); next !== undefined; next = virtualInput(at.inputs[0])) {
      if (seen.has(next)) return undefined;
      seen.add(next);
      at = next;
    }
    const [input] = at.inputs;
    return input === undefined ? undefined : inputTopic(input);
  };
  const readBy = ({ inputs }: ResolvedModel) => [
    ...new Set(inputs.flatMap((input) => inputTopic(input) ?? [])),
  ];
  return { of, readBy, physical };
}

/** `advanced.gateway.virtual_topic.name`, else the name that its topic would have. */
function virtualName({ definition, settings }: ResolvedModel): string | undefined {
  return textAt(definition.node, 'advanced.gateway.virtual_topic.name')?.value ?? settings.topicName?.value;
}
