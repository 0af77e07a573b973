import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { orderNodes } from '../../resolve/order-nodes.ts';
import { nameRange } from '../../resolve/project-symbols.ts';
import type { ResolvedModel, ResolvedProject } from '../../resolve/resolved-project.ts';
import type { Rule } from '../rule.ts';
import { sourceTopics, type WrittenTopic, writtenTopics } from './written-topics.ts';

/** A model that makes the topic that a source describes. */
interface Overlap {
  readonly topic: WrittenTopic;
  readonly source: Definition<'source'>;
}

/** No model writes into the topic of a source; least of all one that reads the source, be it through other models. */
export const sourceTopic: Rule = (context) => {
  const topics = sourceTopics(context);
  const overlaps = writtenTopics(context).flatMap((topic) => {
    const source = topics.get(topic.name);
    return source === undefined ? [] : [{ topic, source }];
  });
  if (overlaps.length === 0) return [];
  const circles = circlesOf(context.project.resolved, overlaps);
  return overlaps.map((overlap) => finding(overlap, circles.get(overlap.topic.model)));
};

type Members = ReadonlySet<ResolvedModel>;

/** Models that are in a circle once the sources are taken for what is written into them; not those that are in one anyway. */
function circlesOf(
  { models, cycles, sources }: ResolvedProject,
  overlaps: readonly Overlap[],
): ReadonlyMap<ResolvedModel, Members> {
  const byId = new Map<NodeId, ResolvedModel[]>([...models.values()].map((model) => [model.id, [model]]));
  const writers = Map.groupBy(overlaps, ({ topic }) => topic.name);
  for (const [name, { value }] of sources) {
    const found = value?.cluster === undefined ? writers.get(value?.topic ?? '') : undefined;
    if (found !== undefined)
      byId.set(
        `source:${name}`,
        found.map(({ topic }) => topic.model),
      );
  }
  const known = new Set(cycles.flat());
  const { cycles: found } = orderNodes([...models.values()], ({ inputs }) =>
    inputs.flatMap(({ target }) => (target === undefined ? [] : (byId.get(target) ?? []))),
  );
  return new Map(
    found
      .filter((members) => members.every(({ name }) => !known.has(name)))
      .flatMap((members) => {
        const all = new Set(members);
        return members.map((member) => [member, all] as const);
      }),
  );
}

function finding({ topic, source }: Overlap, circle: Members | undefined): Diagnostic {
  const { model, place } = topic;
  const facts = {
    path: place.path,
    object: model.definition.object,
    range: place.range,
    related: [{ message: 'the source', range: nameRange(source) }],
  };
  const name = quote(source.name ?? '');
  if (circle === undefined) {
    return diagnose('source-topic-written', {
      ...facts,
      message: `model ${quote(model.name)} makes the topic ${quote(place.shown)}, which source ${name} describes as one that exists`,
      hint: `read the model with {{ ref("${model.name}") }} and remove the source, or choose another topic`,
    });
  }
  const others = circle.size - 1;
  const through = others === 1 ? ', through another model' : `, through ${others} other models`;
  return diagnose('topic-loop', {
    ...facts,
    message: `model ${quote(model.name)} writes the topic ${quote(place.shown)} of source ${name}, which it reads${others === 0 ? '' : through}`,
    hint: 'choose another topic in "advanced.topic.name"',
  });
}
