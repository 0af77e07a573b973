import type { RelatedPlace } from '../../diagnostics/diagnostic.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { LeafNode } from '../../parse/typed-node.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { RuleContext } from '../rule.ts';

/** A rule that the user wrote in the section `rules`. */
export interface GovernanceRule<T> {
  /** Within `rules`: `topics.min_partitions`. */
  readonly name: string;
  readonly value: T;
  /** The value as it may be shown. */
  readonly shown: string;
  /** Where the rule stands, for findings about what breaks it. */
  readonly related: readonly RelatedPlace[];
  readonly node: LeafNode;
}

/** The rule of a name; undefined when there is none, or none that can be read. */
export function governanceRule<T>(
  { project }: RuleContext,
  name: string,
  accepts: (value: unknown) => value is T,
): GovernanceRule<T> | undefined {
  const { rules } = project.resolved.parsed;
  if (rules === undefined) return undefined;
  const { node, span } = placeOf(rules.node, name);
  if (node?.kind !== 'leaf' || !node.known || !accepts(node.value)) return undefined;
  return {
    name,
    value: node.value,
    shown: shownText(node, String(node.value)),
    related: [{ message: 'the rule', range: rangeAt(rules.file, span) }],
    node,
  };
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A rule that is switched off is none. */
export function isTrue(value: unknown): value is true {
  return value === true;
}
