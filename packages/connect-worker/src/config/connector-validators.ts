import type { Validator } from '@levada/connect-runtime-core/config';
import { splitList } from '@levada/connect-runtime-core/host';

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

/** Most aliases of one list: each gets rows in answers, and makes the worker look through all keys. */
const MOST_ALIASES = 100;

/** The distinct aliases of a list, in its order; of one that {@link uniqueAliases} refuses as too long, as many as it allows. */
export function aliasList(text: string | null | undefined): readonly string[] {
  return [...new Set(splitList(text?.trim() ?? ''))].slice(0, MOST_ALIASES);
}

/** A list without null and without repetitions, with Kafka Connect's messages, and of bounded length. */
export function uniqueAliases(kind: string): Validator {
  return {
    allowed: `unique ${kind} aliases`,
    check: (value) => {
      if (value === null) return 'entry must be non null';
      if (!Array.isArray(value)) return undefined;
      if (value.length > MOST_ALIASES) return `List may have at most ${MOST_ALIASES} entries`;
      return new Set(value).size < value.length ? 'Duplicate alias provided.' : undefined;
    },
  };
}
