import { configDef } from '@levada/connect-runtime-core';
import { allOf, nonEmpty } from '@levada/connect-runtime-core/config';
import type { PredicatePlugin } from '@levada/connect-runtime-core/contract';
import { javaPattern } from '@levada/connect-runtime-core/text';
import { javaPackage } from './transformation/part.ts';
import { regexValidator } from './transformation/routers.ts';

const nameConfig = configDef([
  {
    name: 'name',
    type: 'string',
    importance: 'medium',
    documentation: 'Name of the header.',
    validator: nonEmpty,
  },
]);

/** Matches records with a header of this name. */
const hasHeaderKey: PredicatePlugin = {
  className: `${javaPackage}.predicates.HasHeaderKey`,
  config: nameConfig,
  create: (raw) => {
    const { name } = nameConfig.parse(raw);
    return { test: ({ headers }) => headers.some(({ key }) => key === name) };
  },
};

/** Matches records whose value is null. */
const recordIsTombstone: PredicatePlugin = {
  className: `${javaPackage}.predicates.RecordIsTombstone`,
  config: configDef([]),
  create: () => ({ test: ({ value }) => value === null || value === undefined }),
};

const patternConfig = configDef([
  {
    name: 'pattern',
    type: 'string',
    importance: 'medium',
    documentation:
      'Pattern that the whole topic must match. Supports common regular expressions, but no look-around and no back-references.',
    validator: allOf(nonEmpty, regexValidator),
  },
]);

/** Matches records whose topic matches a pattern. */
const topicNameMatches: PredicatePlugin = {
  className: `${javaPackage}.predicates.TopicNameMatches`,
  config: patternConfig,
  create: (raw) => {
    const pattern = javaPattern(patternConfig.parse(raw).pattern);
    return { test: ({ topic }) => pattern.matches(topic) };
  },
};

/** The predicates of Kafka Connect 3.9, under its class names. */
export const connectPredicates: readonly PredicatePlugin[] = [
  hasHeaderKey,
  recordIsTombstone,
  topicNameMatches,
];
