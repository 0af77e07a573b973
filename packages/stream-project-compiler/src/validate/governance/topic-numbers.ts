import { diagnose } from '../../diagnostics/diagnose.ts';
import type { CatalogueEntry, Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { Setting } from '../../resolve/settings.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { shownSetting } from '../setting-node.ts';
import { governanceCodes } from './governance-codes.ts';
import { type GovernanceRule, governanceRule, isNumber } from './governance-rule.ts';
import { contradictsItself } from './partition-bounds.ts';
import { topicModels } from './topic-models.ts';

/** One bound of a number of topics. */
interface TopicNumber {
  readonly entry: CatalogueEntry;
  readonly rule: string;
  readonly setting: 'partitions' | 'replicationFactor';
  readonly bound: 'least' | 'most';
  /** In words, after 1. */
  readonly what: string;
  /** The key of the model. */
  readonly key: string;
}

const partitions = { setting: 'partitions', what: 'partition', key: 'advanced.topic.partitions' } as const;

/** Numbers of topics after defaults lie within the bounds. Where nothing gives a number, the platform does, and nothing is known. */
export const topicNumberRules: readonly Rule[] = [
  topicNumberRule({
    ...partitions,
    entry: governanceCodes['rule-min-partitions'],
    rule: 'topics.min_partitions',
    bound: 'least',
  }),
  topicNumberRule({
    ...partitions,
    entry: governanceCodes['rule-max-partitions'],
    rule: 'topics.max_partitions',
    bound: 'most',
  }),
  topicNumberRule({
    entry: governanceCodes['rule-min-replication'],
    rule: 'topics.min_replication_factor',
    setting: 'replicationFactor',
    bound: 'least',
    what: 'replica',
    key: 'advanced.topic.replication_factor',
  }),
];

function topicNumberRule(number: TopicNumber): Rule {
  return (context) => {
    const rule = governanceRule(context, number.rule, isNumber);
    // Every number breaks bounds that contradict each other
    if (rule === undefined || (number.setting === 'partitions' && contradictsItself(context))) return [];
    return topicModels(context).flatMap((model) => {
      const setting = model.settings[number.setting];
      if (
        setting === undefined ||
        setting.unsure === true ||
        isWithin(setting.value, rule.value, number.bound)
      )
        return [];
      return [broken({ context, model, number, rule }, setting)];
    });
  };
}

function isWithin(value: number, limit: number, bound: TopicNumber['bound']): boolean {
  return bound === 'least' ? value >= limit : value <= limit;
}

interface Breach {
  readonly context: RuleContext;
  readonly model: ResolvedModel;
  readonly number: TopicNumber;
  readonly rule: GovernanceRule<number>;
}

function broken({ context, model, number, rule }: Breach, setting: Setting<number>): Diagnostic {
  const { definition, name } = model;
  const shown = shownSetting(context.project.resolved.parsed, definition, setting);
  const { path, range } = setting.origin;
  const isOwn = path.startsWith(`${definition.path}.`);
  const count = `${shown} ${number.what}${setting.value === 1 ? '' : 's'}`;
  const has = isOwn ? `has ${count}` : `takes ${count} from ${quote(path)}`;
  const limit = `at ${number.bound} ${rule.shown}`;
  return diagnose(number.entry, {
    message: `model ${quote(name)} ${has}, rule "${rule.name}" asks for ${limit}`,
    path,
    object: definition.object,
    range,
    related: rule.related,
    hint: isOwn ? `write ${limit}` : `write ${limit} there, or set "${number.key}" of the model`,
  });
}
