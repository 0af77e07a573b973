import type { Validator } from '@levada/connect-runtime-core/config';

/** A list that holds nothing but the given words, each at most once. */
export function listOf(...allowed: readonly string[]): Validator {
  return {
    allowed: `any of ${allowed.join(', ')}`,
    values: allowed,
    check: (value) => {
      const words = Array.isArray(value) ? (value as readonly string[]) : [];
      const fits = words.every((word) => allowed.includes(word)) && new Set(words).size === words.length;
      return fits ? undefined : `List may hold only ${allowed.join(', ')}, each once`;
    },
  };
}

/** A list with something in it. */
export const notEmptyList: Validator = {
  allowed: 'non-empty list',
  check: (value) => (Array.isArray(value) && value.length === 0 ? 'List must be non-empty' : undefined),
};
