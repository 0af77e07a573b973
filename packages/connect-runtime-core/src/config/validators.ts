import { javaTrim } from '../text/java-text.ts';
import type { Secret } from './secret.ts';

/** A parsed value as a validator sees it; null when there is none or it could not be parsed. */
export type ValidatedValue = string | number | boolean | readonly string[] | Secret | null;

/** Checks one parsed value. */
export interface Validator {
  /** What is wrong, or undefined. Must not name the value: the definition adds it, unless it is a secret. */
  readonly check: (value: ValidatedValue) => string | undefined;
  /**
   * False (default): the message becomes `Invalid value V for configuration K: M`, as in Kafka.
   * True: it is used as it is, because a seed spells it out.
   */
  readonly verbatim?: boolean;
  /** What is allowed, for documentation, for example `[1,...,65535]`. */
  readonly allowed: string;
  /** The texts that are allowed, when there are only these; of a list: its items. */
  readonly values?: readonly string[];
  /** Of {@link allOf}: checked in order instead of `check`, each with its own way of wording. */
  readonly parts?: readonly Validator[];
}

export interface Violation {
  readonly problem: string;
  readonly verbatim: boolean;
}

/** The first thing that is wrong with a value, or undefined. */
export function violation(validator: Validator, value: ValidatedValue): Violation | undefined {
  if (validator.parts === undefined) {
    const problem = validator.check(value);
    return problem === undefined ? undefined : { problem, verbatim: validator.verbatim === true };
  }
  for (const part of validator.parts) {
    const found = violation(part, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All of the given rules; the first that is broken is reported. Corresponds to Kafka's CompositeValidator. */
export function allOf(...parts: readonly Validator[]): Validator {
  return {
    allowed: parts.map((part) => part.allowed).join(', '),
    ...valuesOf(parts.find(({ values }) => values !== undefined) ?? {}),
    check: (value) => parts.map((part) => part.check(value)).find((problem) => problem !== undefined),
    parts,
  };
}

/** A number of at least `min`, with Kafka's messages. */
export function atLeast(min: number): Validator {
  return {
    allowed: `[${min},...]`,
    check: (value) => {
      if (value === null) return 'Value must be non-null';
      return Number(value) < min ? `Value must be at least ${min}` : undefined;
    },
  };
}

/** A number between two bounds, both allowed, with Kafka's messages. */
export function between(min: number, max: number): Validator {
  return {
    allowed: `[${min},...,${max}]`,
    check: (value) => {
      if (value === null) return 'Value must be non-null';
      if (Number(value) < min) return `Value must be at least ${min}`;
      return Number(value) > max ? `Value must be no more than ${max}` : undefined;
    },
  };
}

/** One of the given texts, with Kafka's message. */
export function oneOf(...allowed: readonly string[]): Validator {
  return {
    allowed: `[${allowed.join(', ')}]`,
    values: allowed,
    check: (value) =>
      typeof value === 'string' && allowed.includes(value)
        ? undefined
        : `String must be one of: ${allowed.join(', ')}`,
  };
}

/** One of the given texts in any case, with Kafka's message. */
export function oneOfIgnoringCase(...allowed: readonly string[]): Validator {
  const lower = allowed.map((text) => text.toLowerCase());
  return {
    allowed: `(case insensitive) [${allowed.join(', ')}]`,
    check: (value) =>
      typeof value === 'string' && lower.includes(value.toLowerCase())
        ? undefined
        : `String must be one of (case insensitive): ${allowed.join(', ')}`,
  };
}

/** Text with something in it, with Kafka's message. */
export const nonEmpty: Validator = {
  allowed: 'non-empty string',
  check: (value) => (value === '' ? 'String must be non-empty' : undefined),
};

/** Text with something in it that is neither blank nor a control character. */
export const nonBlank: Validator = {
  allowed: 'text that is not blank',
  check: (value) =>
    typeof value === 'string' && javaTrim(value) === '' ? 'String must be non-blank' : undefined,
};

/** A TCP port, 1 to 65535. */
export const port: Validator = between(1, 65_535);

/** Legal name of a Kafka topic: 1 to 249 of `[a-zA-Z0-9._-]`, and neither `.` nor `..`. */
export const topicName: Validator = {
  allowed: 'topic name',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    if (value === '') return 'String must be non-empty';
    if (value === '.' || value === '..') return 'Topic name cannot be "." or ".."';
    if (value.length > 249) return `Topic name is ${value.length} characters long, at most 249 are allowed`;
    return /^[a-zA-Z0-9._-]+$/.test(value)
      ? undefined
      : "Topic name may hold only ASCII letters, digits, '.', '_' and '-'";
  },
};

/** The given rule, but nothing is checked when there is no value. */
export function optional(validator: Validator): Validator {
  return {
    allowed: validator.allowed,
    verbatim: validator.verbatim === true,
    ...valuesOf(validator),
    check: (value) => (value === null ? undefined : validator.check(value)),
    ...(validator.parts === undefined ? {} : { parts: validator.parts.map(optional) }),
  };
}

/** The given rule with another message, used as it is. */
export function withMessage(message: string, validator: Validator): Validator {
  return {
    allowed: validator.allowed,
    verbatim: true,
    ...valuesOf(validator),
    check: (value) => (validator.check(value) === undefined ? undefined : message),
  };
}

function valuesOf({ values }: Pick<Validator, 'values'>): Pick<Validator, 'values'> {
  return values === undefined ? {} : { values };
}
