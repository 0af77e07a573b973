import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';
import { type WrittenTopic, writtenTopics } from './written-topics.ts';

/** No two models make one topic. */
export const topicCollision: Rule = (context) => {
  const first = new Map<string, WrittenTopic>();
  return writtenTopics(context).flatMap((topic) => {
    const { model, name } = topic;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, topic);
      return [];
    }
    const { place } = topic;
    return [
      diagnose(structureCodes['topic-collision'], {
        message: `model ${quote(model.name)} makes the topic ${quote(place.shown)}, which model ${quote(other.model.name)} makes too, expected one model for each topic`,
        path: place.path,
        object: model.definition.object,
        range: place.range,
        related: [{ message: 'the other model', range: other.place.range }],
        hint: 'give one of them another name in "advanced.topic.name", or join both in one model with UNION ALL',
      }),
    ];
  });
};
