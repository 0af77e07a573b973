import { ConnectorError, configDef } from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';
import type { TransformationPlugin } from '@levada/connect-runtime-core/contract';
import { type JavaPattern, javaPattern, type PatternMatch } from '@levada/connect-runtime-core/text';
import { configFailure, dataFailure } from '../data/failures.ts';
import { dateFormat } from '../time/date-format.ts';
import { javaPackage } from './part.ts';

/** A valid pattern. The message starts as Kafka Connect's does. */
export const regexValidator: Validator = {
  allowed: 'valid regex',
  check: (value) => {
    if (typeof value !== 'string') return 'Invalid regex: null';
    try {
      javaPattern(value);
      return undefined;
    } catch (thrown) {
      return `Invalid regex: ${ConnectorError.from(thrown).message}`;
    }
  },
};

const regexConfig = configDef([
  {
    name: 'regex',
    type: 'string',
    importance: 'high',
    documentation:
      'Pattern that the whole topic must match. Supports common regular expressions, but no look-around and no back-references.',
    validator: regexValidator,
  },
  {
    name: 'replacement',
    type: 'string',
    importance: 'high',
    documentation: `The new topic. $1 and \${name} are replaced by captured groups.`,
  },
]);

/** Renames topics that match a pattern. */
export const regexRouter: TransformationPlugin = {
  className: `${javaPackage}.RegexRouter`,
  config: regexConfig,
  create: (raw) => {
    const { regex, replacement } = regexConfig.parse(raw);
    const pattern = javaPattern(regex);
    const replace = replacementOf(replacement, pattern);
    // Sources write to few topics, so each name is matched once. Bounded, because names may come from messages.
    const known = new Map<string, string>();
    return {
      apply: (record) => {
        const { topic } = record;
        let target = known.get(topic);
        if (target === undefined) {
          target = route(topic, pattern, replace);
          if (known.size < 1000) known.set(topic, target);
        }
        return target === topic ? record : { ...record, topic: target };
      },
    };
  },
};

/** As in Java, the whole topic must match, but the first match of the pattern is replaced, which may be shorter. */
function route(topic: string, pattern: JavaPattern, replace: (match: PatternMatch) => string): string {
  const match = pattern.matches(topic) ? pattern.findAtStart(topic) : undefined;
  return match === undefined ? topic : replace(match) + topic.slice((match[0] ?? '').length);
}

/** A replacement in the syntax of Java's `Matcher.appendReplacement`. */
function replacementOf(text: string, { groups, names }: JavaPattern): (match: PatternMatch) => string {
  const parts: (string | number)[] = [];
  const refuse = (problem: string): Error =>
    configFailure('replacement', `Invalid value ${text} for configuration replacement: ${problem}`);
  for (let at = 0; at < text.length; ) {
    const [all, escaped, name, number] =
      /^(?:\\([\s\S])|\$\{([A-Za-z][A-Za-z0-9]*)\}|\$(\d+))/.exec(text.slice(at)) ?? [];
    if (all === undefined) {
      const character = text[at] as string;
      if (character === '\\') throw refuse('character to be escaped is missing');
      if (character === '$') throw refuse('Illegal group reference');
      parts.push(character);
      at += 1;
    } else if (escaped !== undefined) {
      parts.push(escaped);
      at += all.length;
    } else if (name !== undefined) {
      const group = names.get(name);
      if (group === undefined) throw refuse(`No group with name {${name}}`);
      parts.push(group);
      at += all.length;
    } else {
      const group = groupNumber(number ?? '', groups);
      if (group > groups) throw refuse(`No group ${group}`);
      parts.push(group);
      at += 1 + String(group).length;
    }
  }
  return (match) => parts.map((part) => (typeof part === 'string' ? part : (match[part] ?? ''))).join('');
}

/** The digits of the longest existing group number, at least one digit. */
function groupNumber(digits: string, groups: number): number {
  let group = Number(digits[0]);
  for (let length = 2; length <= digits.length && Number(digits.slice(0, length)) <= groups; length += 1)
    group = Number(digits.slice(0, length));
  return group;
}

/** A valid date pattern. */
const datePatternValidator: Validator = {
  allowed: 'pattern of SimpleDateFormat',
  check: (value) => {
    try {
      if (typeof value === 'string') dateFormat(value);
      return undefined;
    } catch (thrown) {
      return ConnectorError.from(thrown).message;
    }
  },
};

const timestampConfig = configDef([
  {
    name: 'topic.format',
    type: 'string',
    default: `\${topic}-\${timestamp}`,
    importance: 'high',
    documentation: `The new topic. \${topic} and \${timestamp} are replaced by the topic and the timestamp.`,
  },
  {
    name: 'timestamp.format',
    type: 'string',
    default: 'yyyyMMdd',
    importance: 'high',
    documentation: "The timestamp as a pattern of Java's SimpleDateFormat, in UTC and English.",
    validator: datePatternValidator,
  },
]);

/** Adds the timestamp of a record to its topic. */
export const timestampRouter: TransformationPlugin = {
  className: `${javaPackage}.TimestampRouter`,
  config: timestampConfig,
  create: (raw) => {
    const values = timestampConfig.parse(raw);
    const format = dateFormat(values['timestamp.format']);
    return {
      apply: (record) => {
        const { topic, timestamp } = record;
        if (timestamp === null) throw dataFailure(`Timestamp missing on record: topic '${topic}'`);
        const time = format.format(new Date(timestamp));
        const named = values['topic.format'].replaceAll(`\${topic}`, () => topic);
        return { ...record, topic: named.replaceAll(`\${timestamp}`, () => time) };
      },
    };
  },
};
