import { type ConfigIssue, ConnectorError } from '../diagnostics/connector-error.ts';
import { missingLogMethods } from '../diagnostics/service-logger.ts';
import { nearest } from '../text/nearest.ts';

/** What is wrong with the value of an option, by its whole name. Undefined values are absent options, and not checked. */
type Check = (name: string, value: unknown) => readonly ConfigIssue[];

/** An option as it is checked. */
export interface OptionCheck {
  readonly check: Check;
  readonly required?: boolean;
}

/** One check for each option of `T`: an option that is added without one does not compile. */
export type OptionChecks<T> = { readonly [Name in keyof Required<T>]: OptionCheck };

/** Where options are, and what else they are called. */
export interface OptionNames {
  /** What is put before their names, such as `tls.` for the members of the option `tls`. Default: nothing. */
  readonly parent?: string;
  /** Names of an option elsewhere, where the nearest name would be another one: `{ ssl: 'tls' }`. Default: none. */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** Throws one `config_invalid` error with every problem of an options object: unknown options, missing ones, and values of another type. */
export function checkOptions<T extends object>(
  checks: OptionChecks<T>,
  options: T,
  names: OptionNames = {},
): void {
  const { parent = '' } = names;
  // Callers without types may hand over anything.
  const issues = isObject(options)
    ? optionIssues(checks, options, names)
    : valueThat('an object', isObject).check(`${parent}options`, options);
  if (issues.length > 0) throw optionError(issues);
}

/** Every problem of an options object. Messages show values only where they are no secrets. */
export function optionIssues(
  checks: Readonly<Record<string, OptionCheck>>,
  options: object,
  names: OptionNames = {},
): readonly ConfigIssue[] {
  const { parent = '' } = names;
  const values = new Map<string, unknown>(Object.entries(options).filter(([, value]) => value !== undefined));
  const missing = Object.entries(checks)
    .filter(([name, { required }]) => required === true && !values.has(name))
    .map(([name]) => ({ key: parent + name, message: `${parent}${name} is required` }));
  const wrong = [...values].flatMap(([name, value]) => {
    const known = Object.hasOwn(checks, name) ? checks[name] : undefined;
    return known === undefined ? [unknownOption(name, checks, names)] : known.check(parent + name, value);
  });
  return [...missing, ...wrong];
}

/** One error for all of them. */
export function optionError(issues: readonly ConfigIssue[]): ConnectorError {
  return new ConnectorError('config_invalid', issues.map(({ message }) => message).join('\n'), { issues });
}

/** A value for which `holds` is true; `wanted` says what that is. */
export function valueThat(wanted: string, holds: (value: unknown) => boolean): OptionCheck {
  return {
    check: (name, value) => (holds(value) ? [] : [mustBe(name, wanted, kindOf(value))]),
  };
}

/** As {@link valueThat}, for an option whose value is no secret: the message shows it. */
export function shownValueThat(wanted: string, holds: (value: unknown) => boolean): OptionCheck {
  const shown = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' ? `${value}` || kindOf(value) : kindOf(value);
  return {
    check: (name, value) => (holds(value) ? [] : [mustBe(name, wanted, shown(value))]),
  };
}

function mustBe(name: string, wanted: string, got: string): ConfigIssue {
  return { key: name, message: `${name} must be ${wanted}, got ${got}` };
}

/** An option that has to be given. */
export function required(option: OptionCheck): OptionCheck {
  return { ...option, required: true };
}

/** An object of options, or a value for which `orElse` is true. */
export function optionsOf<T>(
  checks: OptionChecks<T>,
  {
    wanted = 'an object',
    orElse = () => false,
  }: { wanted?: string; orElse?: (value: unknown) => boolean } = {},
): OptionCheck {
  const object = valueThat(wanted, (value) => orElse(value) || isObject(value));
  return {
    check: (name, value) =>
      isObject(value) ? optionIssues(checks, value, { parent: `${name}.` }) : object.check(name, value),
  };
}

/** A whole number of at least `least`. */
export function wholeNumberFrom(least: number): OptionCheck {
  return shownValueThat(
    `a whole number from ${least}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
  );
}

/** A time in milliseconds. */
export const milliseconds: OptionCheck = shownValueThat(
  'a number of milliseconds from 0',
  (value) => typeof value === 'number' && value >= 0,
);

/** Texts by keys, as a configuration has them. */
export const configuration: OptionCheck = {
  check: (name, value) => {
    if (!isObject(value)) return valueThat('an object of strings', isObject).check(name, value);
    return Object.entries(value).flatMap(([key, text]) => string.check(`${name}["${key}"]`, text));
  },
};

export const string: OptionCheck = valueThat('a string', (value) => typeof value === 'string');
export const filledString: OptionCheck = valueThat(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const boolean: OptionCheck = valueThat('a boolean', (value) => typeof value === 'boolean');
export const number: OptionCheck = valueThat('a number', (value) => typeof value === 'number');

export const anyFunction: OptionCheck = valueThat('a function', (value) => typeof value === 'function');

/** An object that has these methods. */
export function objectWith(...methods: readonly string[]): OptionCheck {
  return valueThat(`an object with the methods ${methods.join(', ')}`, (value) => {
    const members = (value ?? {}) as Readonly<Record<string, unknown>>;
    return methods.every((method) => typeof members[method] === 'function');
  });
}

/** The `logger` of a service. */
export const loggerOption: OptionCheck = {
  check: (name, value) => {
    const missing = missingLogMethods(value);
    if (missing.length === 0) return [];
    const message = `${name} must have the methods debug, info, warn and error, as those of pino and console; missing: ${missing.join(', ')}`;
    return [{ key: name, message }];
  },
};

/** A `Clock`. */
export const clockOption: OptionCheck = objectWith('now', 'monotonic', 'sleep', 'after');

function unknownOption(
  name: string,
  checks: Readonly<Record<string, OptionCheck>>,
  { parent = '', otherNames = {} }: OptionNames,
): ConfigIssue {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  const near =
    other !== undefined && Object.hasOwn(checks, other) ? other : nearest(name, Object.keys(checks));
  const hint = near === undefined ? '' : `, did you mean ${parent}${near}?`;
  return { key: parent + name, message: `${parent}${name} is not an option${hint}` };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'list';
  return ArrayBuffer.isView(value) ? 'bytes' : typeof value;
}
