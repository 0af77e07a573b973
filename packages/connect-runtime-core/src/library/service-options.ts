import {
  clockOption,
  loggerOption,
  milliseconds,
  type OptionCheck,
  type OptionChecks,
  shownValueThat,
  string,
  valueThat,
} from '../config/option-checks.ts';
import type { SourceOptions } from './create-source.ts';
import type { DecodeOptions } from './source-handle.ts';

const offsetStore = shownValueThat(
  "a store of offsets, such as fileOffsets('offsets.json')",
  (value) => hasMethods(value, 'read', 'write') || hasMethods(value, 'offset'),
);

const offsets: OptionCheck = {
  check: (name, value) => {
    const issues = offsetStore.check(name, value);
    if (issues.length > 0) return issues;
    const { flushIntervalMs } = value as { readonly flushIntervalMs?: unknown };
    return flushIntervalMs === undefined
      ? []
      : milliseconds.check(`${name}.flushIntervalMs`, flushIntervalMs);
  },
};

/** Checks of the options that a source and a pipe have. */
export const serviceChecks = {
  signal: valueThat('an AbortSignal', (value) => hasMethods(value, 'addEventListener') && 'aborted' in value),
  logger: loggerOption,
  clock: clockOption,
} satisfies Record<string, OptionCheck>;

/** Checks of the options of every source. */
export const sourceChecks: OptionChecks<SourceOptions> = {
  ...serviceChecks,
  name: string,
  offsets,
  environment: valueThat('an object', (value) => typeof value === 'object' && value !== null),
};

/** Checks of the options of `json()` and its kin. */
export const decodeChecks: OptionChecks<DecodeOptions> = {
  onInvalid: shownValueThat(
    "'throw', 'skip' or a function",
    (value) => value === 'throw' || value === 'skip' || typeof value === 'function',
  ),
};

function hasMethods(value: unknown, ...methods: readonly string[]): value is object {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return methods.every((method) => typeof members[method] === 'function');
}
