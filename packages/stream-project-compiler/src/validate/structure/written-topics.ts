import { topicNames } from '../../artifacts/topic-names.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import type { Definition } from '../../parse/definition.ts';
import { isTold } from '../../parse/is-told.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { rangeAt } from '../../text/source-file.ts';
import { type PlacedText, placedText } from '../placed-text.ts';
import type { RuleContext } from '../rule.ts';

/** A topic that a model makes, in the platform or in the gateway. */
export interface WrittenTopic {
  readonly model: ResolvedModel;
  readonly name: string;
  /** Where the name comes from: a key of the model. Computed when asked for. */
  readonly place: PlacedText;
}

/** The topics that models make, in order of the files. Several rules look at them. */
export function writtenTopics({ project, memory }: RuleContext): readonly WrittenTopic[] {
  return memory.recall(topicsOf, project, []);
}

function topicsOf(project: InferredProject): readonly WrittenTopic[] {
  const names = topicNames(project);
  return [...project.resolved.models.values()].flatMap((model) => {
    const name = isNameSure(model) ? names.of(model.id) : undefined;
    if (name === undefined) return [];
    return [
      {
        model,
        name,
        get place() {
          return nameOf(model, name);
        },
      },
    ];
  });
}

/** What is wrong or misspelt there was reported. */
function isNameSure({ definition, settings }: ResolvedModel): boolean {
  return settings.topicName?.unsure !== true && isTold(definition.node, virtualPath);
}

const virtualName = 'advanced.gateway.virtual_topic.name';
const virtualPath = virtualName.split('.');
const keys = [virtualName, 'advanced.topic.name', 'name'];

function nameOf({ definition }: ResolvedModel, name: string): PlacedText {
  for (const key of keys) {
    const place = placedText(definition, key);
    if (place?.value === name) return place;
  }
  return nowhere(definition, name);
}

function nowhere({ file, node, path }: Definition<'model'>, name: string): PlacedText {
  return { value: name, shown: name, path, range: rangeAt(file, placeOf(node, 'name').span) };
}

/** Topics that sources describe, of the platform cluster of the project: topics of other clusters are others. */
export function sourceTopics({ project }: RuleContext): ReadonlyMap<string, Definition<'source'>> {
  const topics = new Map<string, Definition<'source'>>();
  for (const source of project.resolved.sources.values()) {
    const { value } = source;
    if (value === undefined || value.cluster !== undefined || topics.has(value.topic)) continue;
    topics.set(value.topic, source);
  }
  return topics;
}
