import type { CatalogueEntry, Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ParsedProject } from '../../parse/parse-project.ts';
import { at, atSetting, finding, named } from '../finding.ts';
import type { CheckedModel, ModelRule, Rule } from '../rule.ts';
import { shownSetting } from '../written-value.ts';
import { governanceCodes } from './governance-codes.ts';
import { governanceRule, isNumber, listedRules } from './governance-rule.ts';

/** Whether a model writes a topic of its own, which rules of topics are about: it becomes a topic or a job. */
export function writesTopic({ as }: CheckedModel): boolean {
  return as?.kind === 'topic' || as?.kind === 'engine';
}

/** The smallest number of partitions is not above the largest. */
export const partitionBounds: Rule = ({ project }) => contradiction(project.resolved.parsed);

/** Reports bounds that no number of partitions keeps. */
function contradiction({ rules }: Pick<ParsedProject, 'rules'>): readonly Diagnostic[] {
  const [low, high] = ['topics.min_partitions', 'topics.max_partitions'] as const;
  const least = governanceRule({ rules }, low, isNumber);
  const most = governanceRule({ rules }, high, isNumber);
  if (rules === undefined || least === undefined || most === undefined) return [];
  if (least.value <= most.value) return [];
  return [
    finding(governanceCodes['rule-bounds'], at(rules, high), {
      message: `"rules.${high}" (${most.shown}) is less than "rules.${low}" (${least.shown})`,
      related: [{ message: 'minimum set here', range: at(rules, low).range }],
      hint: 'swap the two',
    }),
  ];
}

/** One bound of a number of topics. */
interface NumberBound {
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

const numberBounds: readonly NumberBound[] = [
  {
    ...partitions,
    entry: governanceCodes['rule-min-partitions'],
    rule: 'topics.min_partitions',
    bound: 'least',
  },
  {
    ...partitions,
    entry: governanceCodes['rule-max-partitions'],
    rule: 'topics.max_partitions',
    bound: 'most',
  },
  {
    entry: governanceCodes['rule-min-replication'],
    rule: 'topics.min_replication_factor',
    setting: 'replicationFactor',
    bound: 'least',
    what: 'replica',
    key: 'advanced.topic.replication_factor',
  },
];

/** Numbers of topics after defaults lie within the bounds. Where nothing gives a number, the platform does, and nothing is known. */
export const topicNumbers: readonly ModelRule[] = numberBounds.map(
  ({ entry, rule: name, setting: key, bound, what, key: path }): ModelRule =>
    (context) => {
      const rule = governanceRule(context, name, isNumber);
      // Every number breaks bounds that contradict each other
      if (rule === undefined || (key === 'partitions' && contradiction(context).length > 0)) return undefined;
      const limit = `at ${bound} ${rule.shown}`;
      return (checked) => {
        const { definition, settings } = checked.model;
        const setting = writesTopic(checked) ? settings[key] : undefined;
        if (setting === undefined || setting.unsure === true) return [];
        if (bound === 'least' ? setting.value >= rule.value : setting.value <= rule.value) return [];
        const isOwn = setting.origin.path.startsWith(`${definition.path}.`);
        const count = `${shownSetting(context, definition, setting)} ${what}${setting.value === 1 ? '' : 's'}`;
        const has = isOwn ? `has ${count}` : `gets ${count} from ${quote(setting.origin.path)}`;
        return [
          finding(entry, atSetting(definition, setting), {
            message: `${named(definition)} ${has}, but rule "${name}" requires ${limit}`,
            related: rule.related,
            hint: isOwn ? `set ${limit}` : `set ${limit} there, or set "${path}" of the model`,
          }),
        ];
      };
    },
);

const MAX_RELATED = 20;

/** Every topic of a model sets the configuration keys that the rule lists. One finding for each topic. */
export const requiredConfig: ModelRule = (context) => {
  const name = 'topics.required_config';
  const required = listedRules(context, name);
  if (required.length === 0) return undefined;
  return (checked) => {
    const { definition } = checked.model;
    const path = 'advanced.topic.config';
    const { node } = placeOf(definition.node, path);
    // What is no map, or misspelt, was reported
    if (!writesTopic(checked) || !isDeclared(definition.node, path)) return [];
    if (node !== undefined && node.kind !== 'object') return [];
    const missing = required.filter(({ value }) => node?.entries.has(value) !== true);
    const [first] = missing;
    if (first === undefined) return [];
    const keys = missing.map(({ shown }) => quote(shown)).join(', ');
    return [
      finding(governanceCodes['rule-required-config'], at(definition, path), {
        message: `the topic of ${named(definition)} does not set ${keys}, but rule "${name}" requires it`,
        related: missing.slice(0, MAX_RELATED).map(({ related }) => related),
        hint: `add ${quote(first.shown)} to "${path}"`,
      }),
    ];
  };
};
