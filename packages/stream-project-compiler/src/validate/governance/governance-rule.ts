import type { RelatedPlace } from '../../diagnostics/diagnostic.ts';
import { isText, listAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ParsedProject } from '../../parse/parse-project.ts';
import type { LeafNode } from '../../parse/typed-node.ts';
import { rangeAt } from '../../text/source-file.ts';
import { shown } from '../written-value.ts';

type RulesSection = Pick<ParsedProject, 'rules'>;

/** A rule that the user wrote in the section `rules`. */
export interface GovernanceRule<T> {
  /** Within `rules`: `topics.min_partitions`. */
  readonly name: string;
  readonly value: T;
  /** The value as messages may show it. */
  readonly shown: string;
  /** Where the rule is, for findings about what breaks it. */
  readonly related: readonly RelatedPlace[];
  readonly node: LeafNode;
}

/** The rule of a name; undefined when there is none, or none that can be read. */
export function governanceRule<T>(
  { rules }: RulesSection,
  name: string,
  accepts: (value: unknown) => value is T,
): GovernanceRule<T> | undefined {
  if (rules === undefined) return undefined;
  const { node, span } = placeOf(rules.node, name);
  if (node?.kind !== 'leaf' || !node.known || !accepts(node.value)) return undefined;
  return {
    name,
    value: node.value,
    shown: shown(node),
    related: [{ message: 'rule defined here', range: rangeAt(rules.file, span) }],
    node,
  };
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** A rule that is switched off is none. */
export function isTrue(value: unknown): value is true {
  return value === true;
}

/** One entry of a rule that is a list. */
export interface ListedRule {
  readonly value: string;
  /** As messages may show it. */
  readonly shown: string;
  readonly related: RelatedPlace;
}

/** The entries of a rule that lists texts, each once; those that cannot be read are left out. */
export function listedRules({ rules }: RulesSection, name: string): readonly ListedRule[] {
  const list = rules === undefined ? undefined : listAt(rules.node, name);
  if (rules === undefined || list === undefined) return [];
  const found = new Map<string, ListedRule>();
  for (const item of list.items) {
    if (!isText(item) || found.has(item.value)) continue;
    const related = { message: 'rule defined here', range: rangeAt(rules.file, item.span) };
    found.set(item.value, { value: item.value, shown: shown(item), related });
  }
  return [...found.values()];
}
