import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { Setting } from '../../resolve/settings.ts';
import type { RuleContext } from '../rule.ts';
import { shownSetting } from '../setting-node.ts';
import { topicModels } from './topic-models.ts';

/** A topic of which the name is sure. */
export interface NamedTopic {
  readonly model: ResolvedModel;
  readonly topicName: Setting<string>;
  /** The name as it may be shown. */
  readonly shown: () => string;
}

/** The topics that rules about names look at. */
export function namedTopics(context: RuleContext): readonly NamedTopic[] {
  const { parsed } = context.project.resolved;
  return topicModels(context).flatMap((model) => {
    const { topicName } = model.settings;
    if (topicName === undefined || topicName.unsure === true) return [];
    return [{ model, topicName, shown: () => shownSetting(parsed, model.definition, topicName) }];
  });
}
