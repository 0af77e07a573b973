import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** A virtual topic is a view of one topic. Several tables in its SQL are a join, which is reported there. */
export const virtualTopicInput: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap(({ definition, name, inputs }) => {
    const as = project.materialized.get(name);
    if (as?.kind !== 'virtual_topic' || definition.node.entries.has('sql')) return [];
    const [first, second] = new Map(inputs.map((input) => [input.target ?? input.name, input])).values();
    if (second === undefined && (first !== undefined || isReported(definition))) return [];
    const says =
      second === undefined
        ? 'reads nothing'
        : `reads ${quote(first?.shown ?? '')} and ${quote(second.shown)}`;
    return [
      diagnose(structureCodes['virtual-topic-input'], {
        message: `model ${quote(name)} is a virtual topic and ${says}, expected one topic behind it`,
        path: second?.path ?? `${definition.path}.from`,
        object: definition.object,
        range: second?.range() ?? as.range,
        hint: second === undefined ? 'name the topic in "from"' : 'write a model for each',
      }),
    ];
  });

/** Names in `from` that cannot be read were reported, and so was a model that has nothing but its gateway. */
function isReported({ node }: Definition<'model'>): boolean {
  return node.entries.has('from') || placeOf(node, 'advanced.topic').node === undefined;
}
