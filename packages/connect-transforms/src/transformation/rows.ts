import type { ConfigKey } from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';

/** The key that most transformations of structs have. */
export const replaceNullRow = {
  name: 'replace.null.with.default',
  type: 'boolean',
  default: true,
  importance: 'medium',
  documentation: 'Whether null is replaced by the default of the field, if it has one.',
} as const satisfies ConfigKey;

/** A non-empty list, with Kafka Connect's message. */
export const nonEmptyList: Validator = {
  allowed: 'non-empty list',
  check: (value) => (Array.isArray(value) && value.length > 0 ? undefined : 'Empty list'),
};

/** Any value but null, with Kafka's message. */
export const nonNull: Validator = {
  allowed: 'non-null string',
  check: (value) => (value === null ? 'entry must be non null' : undefined),
};

/** Splits a mapping of fields as Java's `String.split` does: empty texts at the end do not count. */
export function splitMapping(mapping: string): readonly string[] {
  const parts = mapping.split(':');
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}
