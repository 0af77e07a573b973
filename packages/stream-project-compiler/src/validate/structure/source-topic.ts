import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { type NodeId, nodeId } from '../../resolve/node-id.ts';
import { orderNodes } from '../../resolve/order-nodes.ts';
import type { ResolvedProject } from '../../resolve/resolved-project.ts';
import { at, finding, named } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';
import { sourceTopics, type WrittenTopic, writtenTopics } from './topics.ts';

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
  return overlaps.map((overlap) => overlapFinding(overlap, circles.get(overlap.topic.model.id)));
};

/** A model or a topic, in a graph in which models read topics and topics read the models that write them. */
type Step = NodeId | `topic:${string}`;

/** By model, how many models are in a circle with it once a source is what is written into its topic; not those in one anyway. */
function circlesOf(
  { models, cycles, sources }: ResolvedProject,
  overlaps: readonly Overlap[],
): ReadonlyMap<Step, number> {
  const upstream = new Map<Step, readonly Step[]>();
  for (const [name, written] of Map.groupBy(overlaps, ({ topic }) => topic.name)) {
    upstream.set(
      `topic:${name}`,
      written.map(({ topic }) => topic.model.id),
    );
  }
  for (const [name, { value }] of sources) {
    const topic: Step = `topic:${value?.topic ?? ''}`;
    if (value?.cluster === undefined && upstream.has(topic)) upstream.set(nodeId('source', name), [topic]);
  }
  for (const { id, inputs } of models.values()) {
    upstream.set(
      id,
      inputs.flatMap(({ target }) => target ?? []),
    );
  }
  const known = new Set<Step>(cycles.flat().map((name) => nodeId('model', name)));
  const { cycles: found } = orderNodes([...upstream.keys()], (step) =>
    (upstream.get(step) ?? []).filter((next) => upstream.has(next)),
  );
  return new Map(
    found
      .filter((members) => !members.some((member) => known.has(member)))
      .flatMap((members) => {
        const size = members.filter((member) => member.startsWith('model:')).length;
        return members.map((member) => [member, size] as const);
      }),
  );
}

function overlapFinding({ topic, source }: Overlap, circle: number | undefined): Diagnostic {
  const { model, text } = topic;
  const start = `${named(model.definition)} writes topic ${quote(text.shown)}`;
  const related = [{ message: 'source defined here', range: at(source, 'name').range }];
  if (circle === undefined) {
    return finding(structureCodes['source-topic-written'], text.place, {
      message: `${start}, which ${named(source)} declares as an existing topic`,
      related,
      hint: `read the model with {{ ref("${model.name}") }} and remove the source, or choose another topic`,
    });
  }
  const isDirect = model.inputs.some(({ target }) => target === nodeId('source', source.name ?? ''));
  const others = circle === 2 ? 'another model' : `${circle - 1} other models`;
  return finding(structureCodes['topic-loop'], text.place, {
    message: `${start} of ${named(source)}, which it also reads${isDirect || circle === 1 ? '' : ` through ${others}`}`,
    related,
    hint: 'set another "advanced.topic.name"',
  });
}
