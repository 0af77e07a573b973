import { diagnose } from '../../diagnostics/diagnose.ts';
import type { RelatedPlace } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { placedText } from '../placed-text.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';
import { sourceTopics, writtenTopics } from './written-topics.ts';

/** A name that is taken. */
interface Taken {
  readonly name: string;
  readonly shown: () => string;
  readonly related: () => RelatedPlace;
}

/** No topic that a model makes has a name that differs from another one in `.` and `_` only: the platform refuses to make it. */
export const similarTopic: Rule = (context) => {
  const taken = takenBySources(context);
  return writtenTopics(context).flatMap((topic) => {
    const { model, name } = topic;
    const key = unified(name);
    const other = taken.get(key);
    if (other === undefined) {
      taken.set(key, {
        name,
        shown: () => topic.place.shown,
        related: () => ({ message: `the topic of model ${quote(model.name)}`, range: topic.place.range }),
      });
    }
    if (other === undefined || other.name === name) return [];
    const { place } = topic;
    return [
      diagnose(structureCodes['similar-topic'], {
        message: `model ${quote(model.name)} makes the topic ${quote(place.shown)}, which differs from ${quote(other.shown())} in "." and "_" only`,
        path: place.path,
        object: model.definition.object,
        range: place.range,
        related: [other.related()],
        hint: 'the platform takes both for one name: choose another in "advanced.topic.name"',
      }),
    ];
  });
};

function takenBySources(context: RuleContext): Map<string, Taken> {
  const taken = new Map<string, Taken>();
  for (const [name, source] of sourceTopics(context)) {
    const place = placedText(source, 'topic');
    if (place === undefined || taken.has(unified(name))) continue;
    const related = () => ({
      message: `the topic of source ${quote(source.name ?? '')}`,
      range: place.range,
    });
    taken.set(unified(name), { name, shown: () => place.shown, related });
  }
  return taken;
}

/** As the platform compares names of topics, because those of its metrics have no dots. */
function unified(name: string): string {
  return name.replaceAll('.', '_');
}
