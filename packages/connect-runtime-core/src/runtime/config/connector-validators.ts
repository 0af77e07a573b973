import type { Validator } from '../../config/validators.ts';

/** Name of a connector: something, without control characters. Messages as in Kafka's NonEmptyStringWithoutControlChars. */
export const connectorName: Validator = {
  allowed: 'non-empty string without ISO control characters',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    if (value === '') return 'String may not be empty';
    const controls = value.match(/\p{Cc}/gu) ?? [];
    if (controls.length === 0) return undefined;
    const codes = controls.map((character) => character.charCodeAt(0)).join(', ');
    return `String may not contain control sequences but had the following ASCII chars: ${codes}`;
  },
};

/** A list without null and without repetitions, with Kafka Connect's messages. */
export function uniqueAliases(kind: string): Validator {
  return {
    allowed: `unique ${kind} aliases`,
    check: (value) => {
      if (value === null) return 'entry must be non null';
      if (!Array.isArray(value)) return undefined;
      return new Set(value).size < value.length ? 'Duplicate alias provided.' : undefined;
    },
  };
}
