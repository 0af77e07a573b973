import type { ConfigKey } from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';

/** The key that most transformations of structs have. */
export const replaceNullRow = {
  name: 'replace.null.with.default',
  type: 'boolean',
  default: true,
  importance: 'medium',
  documentation: 'Whether a field that is null counts as its default, when it has one.',
} as const satisfies ConfigKey;

/** A list with something in it, with Kafka Connect's message. */
export const nonEmptyList: Validator = {
  allowed: 'non-empty list',
  check: (value) => (Array.isArray(value) && value.length > 0 ? undefined : 'Empty list'),
};

/** Any value, with Kafka's message. */
export const nonNull: Validator = {
  allowed: 'non-null string',
  check: (value) => (value === null ? 'entry must be non null' : undefined),
};

/** A mapping of fields as Java's `String.split` takes it apart: empty texts at the end do not count. */
export function splitMapping(mapping: string): readonly string[] {
  const parts = mapping.split(':');
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}
