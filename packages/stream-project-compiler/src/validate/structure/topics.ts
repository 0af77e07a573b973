import { matchesFormat, textFormats } from '@levada/stream-project-schema';
import { topicNames } from '../../artifacts/topic-names.ts';
import type { RelatedPlace } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import type { Definition } from '../../parse/definition.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { at, atReference, finding, named } from '../finding.ts';
import { repeatsOf } from '../repeats.ts';
import type { ModelRule, Rule, RuleContext } from '../rule.ts';
import { type WrittenText, writtenText } from '../written-value.ts';
import { structureCodes } from './structure-codes.ts';

/** A topic that a model makes, in the platform or in the gateway. */
export interface WrittenTopic {
  readonly model: ResolvedModel;
  readonly name: string;
  /** Where the name comes from: a key of the model. Computed when asked for. */
  readonly text: WrittenText;
}

/** The topics that models make, in order of the files. Several rules look at them. */
export function writtenTopics({
  project,
  memory,
}: Pick<RuleContext, 'project' | 'memory'>): readonly WrittenTopic[] {
  return memory.recall(topicsOf, project, []);
}

function topicsOf(project: InferredProject): readonly WrittenTopic[] {
  const names = topicNames(project);
  return [...project.resolved.models.values()].flatMap((model) => {
    const name = isNameKnown(model) ? names.of(model.id) : undefined;
    if (name === undefined) return [];
    return [
      {
        model,
        name,
        get text() {
          return textOf(model, name);
        },
      },
    ];
  });
}

/** What is wrong or misspelt there was reported. */
function isNameKnown({ definition, settings }: ResolvedModel): boolean {
  return settings.topicName?.unsure !== true && isDeclared(definition.node, virtualPath);
}

const virtualName = 'advanced.gateway.virtual_topic.name';
const virtualPath = virtualName.split('.');
const keys = [virtualName, 'advanced.topic.name', 'name'];

function textOf({ definition }: ResolvedModel, name: string): WrittenText {
  for (const key of keys) {
    const text = writtenText(definition, key);
    if (text?.value === name) return text;
  }
  return { value: name, shown: name, place: { ...at(definition, 'name'), path: definition.path } };
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

/** No two models make one topic. */
export const topicCollision: Rule = (context) =>
  repeatsOf(writtenTopics(context), ({ name }) => name).map(({ item: { model, text }, first }) =>
    finding(structureCodes['topic-collision'], text.place, {
      message: `${named(model.definition)}: topic ${quote(text.shown)} is already written by ${named(first.model.definition)}`,
      related: [{ message: 'first written here', range: first.text.place.range }],
      hint: 'set another "advanced.topic.name", or combine both models with UNION ALL',
    }),
  );

/** A name of a topic in use, and what uses it. */
interface UsedName {
  readonly name: string;
  readonly text: () => WrittenText;
  readonly user: Definition;
}

/** No topic that a model makes has a name that differs from another one in `.` and `_` only: the platform refuses to make it. */
export const similarTopic: Rule = (context) => {
  const used = namesOfSources(context);
  return writtenTopics(context).flatMap((topic) => {
    const { name } = topic;
    const user = topic.model.definition;
    const other = used.get(unified(name));
    if (other === undefined) used.set(unified(name), { name, text: () => topic.text, user });
    if (other === undefined || other.name === name) return [];
    const { text } = topic;
    return [
      finding(structureCodes['similar-topic'], text.place, {
        message: `${named(user)}: topic ${quote(text.shown)} differs from ${quote(other.text().shown)} only in "." and "_"`,
        related: [relatedTopic(other)],
        hint: 'the platform treats both as the same name: set another "advanced.topic.name"',
      }),
    ];
  });
};

function namesOfSources(context: RuleContext): Map<string, UsedName> {
  const used = new Map<string, UsedName>();
  for (const [name, source] of sourceTopics(context)) {
    const text = writtenText(source, 'topic');
    if (text === undefined || used.has(unified(name))) continue;
    used.set(unified(name), { name, text: () => text, user: source });
  }
  return used;
}

function relatedTopic({ user, text }: UsedName): RelatedPlace {
  return { message: `topic of ${named(user)}`, range: text().place.range };
}

/** As the platform compares names of topics, because those of its metrics have no dots. */
function unified(name: string): string {
  return name.replaceAll('.', '_');
}

/** A text in `from` that is neither a model nor a source can be the name of a topic. */
export const topicName: ModelRule =
  () =>
  ({ model: { definition, inputs } }) =>
    inputs
      .filter(({ kind, target, name }) => kind === 'either' && target === undefined && !isTopic(name))
      .map((input) =>
        finding(structureCodes['topic-name'], atReference(definition, input), {
          message: `${named(definition)}: ${quote(input.shown)} is not a model, a source or a valid topic name, expected ${textFormats.topic.expected}`,
        }),
      );

function isTopic(name: string): boolean {
  return matchesFormat('topic', name);
}
