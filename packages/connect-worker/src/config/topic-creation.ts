import {
  type ConfigIssue,
  type ConfigKey,
  ConnectorError,
  configDef,
  type RawConfig,
} from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';
import { linearPattern, splitList } from '@levada/connect-runtime-core/host';
import type { TopicSpec } from '@levada/connect-runtime-core/platform';
import { aliasList } from './connector-validators.ts';

const PREFIX = 'topic.creation.';

/** The group that takes every topic that no other group takes. */
const DEFAULT_GROUP = 'default';

/** One group of `topic.creation.<group>.*` keys. */
interface TopicGroup {
  readonly takes: (topic: string) => boolean;
  /** -1: the log's default. Undefined: what the default group says. */
  readonly partitions: number | undefined;
  readonly replicationFactor: number | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * How a connector's `topic.creation.*` keys want missing topics to be made: the first of `topic.creation.groups` whose
 * patterns fit the name, or else the group `default`, whose `partitions` and `replication.factor` are required. Undefined
 * without any such key: then topics are left to the log. Patterns are those of {@link linearPattern}. Throws one
 * `config_invalid` that lists every problem. Corresponds to KIP-158.
 */
export function topicCreation(raw: RawConfig): ((topic: string) => TopicSpec) | undefined {
  if (!Object.keys(raw).some((key) => key.startsWith(PREFIX))) return undefined;
  const issues: ConfigIssue[] = [];
  const names = aliasList(raw[`${PREFIX}groups`]);
  const groups = names
    .filter((name) => name !== '' && name !== DEFAULT_GROUP)
    .map((name) => readGroup(raw, name, issues));
  const fallback = readGroup(raw, DEFAULT_GROUP, issues);
  if (issues.length > 0) {
    throw new ConnectorError('config_invalid', issues.map((issue) => issue.message).join('\n'), { issues });
  }
  return (name) => topicSpec(name, groups.find((group) => group.takes(name)) ?? fallback, fallback);
}

/** Keys of groups that are not listed: Kafka Connect passes them over, too. */
export function topicCreationWarnings(raw: RawConfig): readonly string[] {
  const groups = [...aliasList(raw[`${PREFIX}groups`]), DEFAULT_GROUP];
  return Object.keys(raw)
    .filter((key) => key.startsWith(PREFIX) && key !== `${PREFIX}groups`)
    .filter((key) => !groups.some((group) => key.startsWith(`${PREFIX}${group}.`)))
    .map((key) => `"${key}" has no effect, its group is not listed in topic.creation.groups`);
}

function topicSpec(name: string, group: TopicGroup, fallback: TopicGroup): TopicSpec {
  const partitions = group.partitions ?? fallback.partitions ?? -1;
  const replicationFactor = group.replicationFactor ?? fallback.replicationFactor ?? -1;
  return {
    name,
    ...(partitions === -1 ? {} : { partitions }),
    ...(replicationFactor === -1 ? {} : { replicationFactor }),
    config: group.settings,
  };
}

function readGroup(raw: RawConfig, group: string, issues: ConfigIssue[]): TopicGroup {
  const prefix = `${PREFIX}${group}.`;
  const rows = groupRows(prefix, group === DEFAULT_GROUP);
  for (const { name, errors } of configDef(rows).validate(raw)) {
    for (const message of errors) issues.push({ key: name, message });
  }
  const text = (key: string): string => raw[prefix + key]?.trim() ?? '';
  const include = patterns(text('include'));
  const exclude = patterns(text('exclude'));
  const own = new Set(rows.map((row) => row.name));
  const settings = Object.entries(raw).flatMap(([key, value]) =>
    key.startsWith(prefix) && !own.has(key) && value !== null ? [[key.slice(prefix.length), value]] : [],
  );
  return {
    takes: (topic) => include.some((fits) => fits(topic)) && !exclude.some((fits) => fits(topic)),
    partitions: countOf(text('partitions')),
    replicationFactor: countOf(text('replication.factor')),
    settings: Object.fromEntries(settings),
  };
}

/** The keys of a group that have a meaning of their own; any other is a setting of the topic, such as `retention.ms`. */
function groupRows(prefix: string, isDefault: boolean): readonly ConfigKey[] {
  // The default group takes every topic, so its patterns are not read.
  const pattern = isDefault ? {} : { validator: patternList };
  const row = (key: Omit<ConfigKey, 'importance'>): ConfigKey => ({
    ...key,
    name: prefix + key.name,
    importance: 'low',
  });
  const whenAbsent = isDefault ? {} : { default: null };
  return [
    row({
      name: 'include',
      type: 'list',
      default: [],
      documentation: 'Patterns of topic names that the group takes.',
      ...pattern,
    }),
    row({
      name: 'exclude',
      type: 'list',
      default: [],
      documentation: 'Patterns of topic names that the group leaves all the same.',
      ...pattern,
    }),
    row({
      name: 'replication.factor',
      type: 'short',
      ...whenAbsent,
      documentation: "Replicas of a new topic; -1 for the log's default.",
      validator: minusOneOrPositive(
        "Replication factor must be positive and not larger than the number of brokers in the Kafka cluster, or -1 to use the broker's default",
      ),
    }),
    row({
      name: 'partitions',
      type: 'int',
      ...whenAbsent,
      documentation: "Partitions of a new topic; -1 for the log's default.",
      validator: minusOneOrPositive(
        "Number of partitions must be positive, or -1 to use the broker's default",
      ),
    }),
  ];
}

/** With Kafka Connect's message. */
function minusOneOrPositive(message: string): Validator {
  return {
    allowed: "positive, or -1 for the log's default",
    check: (value) => (typeof value === 'number' && value !== -1 && value < 1 ? message : undefined),
  };
}

const patternList: Validator = {
  allowed: 'patterns of topic names',
  check: (value) => {
    if (!Array.isArray(value)) return undefined;
    return value.map(patternProblem).find((problem) => problem !== undefined);
  },
};

function patternProblem(pattern: string): string | undefined {
  try {
    linearPattern(pattern);
    return undefined;
  } catch (thrown) {
    return `Syntax error in regular expression: ${ConnectorError.from(thrown).message}`;
  }
}

/** The valid patterns; invalid ones were reported already. */
function patterns(list: string): readonly ((topic: string) => boolean)[] {
  return splitList(list)
    .filter((pattern) => patternProblem(pattern) === undefined)
    .map(linearPattern);
}

function countOf(text: string): number | undefined {
  return text === '' ? undefined : Number(text);
}
