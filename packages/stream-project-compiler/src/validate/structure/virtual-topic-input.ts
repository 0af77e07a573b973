import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';

/** A virtual topic is a view of one topic. Several tables in its SQL are a join, which is reported there. */
export const virtualTopicInput: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap(({ definition, name, inputs }) => {
    const as = project.materialized.get(name);
    const { entries } = definition.node;
    if (as?.kind !== 'virtual_topic' || entries.has('sql')) return [];
    const [first, second] = new Map(inputs.map((input) => [input.target ?? input.name, input])).values();
    // Names in `from` that cannot be read were reported
    if (second === undefined && (first !== undefined || entries.has('from'))) return [];
    const says =
      second === undefined
        ? 'reads nothing'
        : `reads ${quote(first?.shown ?? '')} and ${quote(second.shown)}`;
    return [
      diagnose('virtual-topic-input', {
        message: `model ${quote(name)} is a virtual topic and ${says}, expected one topic behind it`,
        path: second?.path ?? `${definition.path}.from`,
        object: definition.object,
        range: second?.range() ?? as.range,
        hint: second === undefined ? 'name the topic in "from"' : 'write a model for each',
      }),
    ];
  });
