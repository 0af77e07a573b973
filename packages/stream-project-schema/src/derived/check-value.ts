import type { EnumField, Field, IntegerField, LeafField, NumberField, TextField } from '../fields/field.ts';
import { type TextFormat, type TextFormatFacts, textFormats } from '../fields/formats.ts';

/** What is wrong with a value, without its place. */
export interface ValueProblem {
  /**
   * `wrong-type`: another YAML kind; `bad-enum`: not among the words; `invalid-value`: out of bounds, empty, or not of the
   * format; `advice`: of a form that is unusual, worth a warning only.
   */
  readonly kind: 'wrong-type' | 'bad-enum' | 'invalid-value' | 'advice';
  /** What was expected, in words: `an integer of at least 1`. */
  readonly expected: string;
}

/**
 * Checks a value that holds no others against its row, after `${VAR}` was replaced. Text that came from a variable may
 * stand for a number or a boolean: convert it before. Undefined when there is nothing to say.
 */
export function valueProblem(field: LeafField, value: unknown): ValueProblem | undefined {
  switch (field.type) {
    case 'text':
      return textProblem(field, value);
    case 'integer':
    case 'number':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType(field);
    case 'enum':
      return enumProblem(field, value);
    case 'scalar':
      return isScalar(value) || (value === null && field.orNull === true) ? undefined : wrongType(field);
  }
}

/** What a row expects, in words that follow "expected": `a list`, `one of "avro", "json", "protobuf"`. */
export function expectation(field: Field): string {
  switch (field.type) {
    case 'text':
      return field.format === undefined ? 'text' : facts(field.format).expected;
    case 'integer':
    case 'number':
      return `${field.type === 'integer' ? 'an integer' : 'a number'}${bounds(field)}`;
    case 'boolean':
      return 'true or false';
    case 'enum':
      return `one of ${words(field)}`;
    case 'scalar':
      return field.orNull === true ? 'text, a number, true, false or null' : 'text, a number, true or false';
    case 'list':
      return 'a list';
    case 'map':
      return 'a map';
    case 'object':
      return 'an object';
    case 'choice':
      return `an object with one of the keys ${quoted(Object.keys(field.fields))}`;
    case 'union':
      return field.options.map(kindOf).join(' or ');
    case 'any':
      return 'a value';
  }
}

function kindOf(field: Field): string {
  return field.type === 'text' ? 'text' : expectation(field);
}

function textProblem(field: TextField, value: unknown): ValueProblem | undefined {
  if (typeof value !== 'string') return { kind: 'wrong-type', expected: kindOf(field) };
  if (value === '') {
    const mayBeEmpty = field.notEmpty !== true && field.format === undefined;
    return mayBeEmpty ? undefined : { kind: 'invalid-value', expected: expectation(field) };
  }
  if (field.format === undefined || matchesFormat(field.format, value)) return undefined;
  const advice = facts(field.format).advice === true;
  return { kind: advice ? 'advice' : 'invalid-value', expected: expectation(field) };
}

function numberProblem(field: IntegerField | NumberField, value: unknown): ValueProblem | undefined {
  if (typeof value !== 'number') return wrongType(field);
  if (field.type === 'integer' && Number.isFinite(value) && !Number.isInteger(value)) return wrongType(field);
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  const whole = field.type === 'number' || Number.isSafeInteger(value);
  if (Number.isFinite(value) && whole && value >= min && value <= max) return undefined;
  return { kind: 'invalid-value', expected: expectation(field) };
}

function enumProblem(field: EnumField, value: unknown): ValueProblem | undefined {
  if (value === null && Object.hasOwn(field.values, 'null')) return undefined;
  if (typeof value !== 'string') return wrongType(field);
  if (Object.hasOwn(field.values, value)) return undefined;
  if (field.otherwise !== undefined && matchesFormat(field.otherwise, value)) return undefined;
  return { kind: 'bad-enum', expected: expectation(field) };
}

/** Whether text is of a format; text of a format without a pattern always is. */
export function matchesFormat(format: TextFormat, text: string): boolean {
  const { pattern } = facts(format);
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}

function facts(format: TextFormat): TextFormatFacts {
  return textFormats[format];
}

function wrongType(field: LeafField): ValueProblem {
  return { kind: 'wrong-type', expected: expectation(field) };
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function bounds({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

function words(field: EnumField): string {
  const listed = quoted(Object.keys(field.values));
  return field.otherwise === undefined ? listed : `${listed}, or ${facts(field.otherwise).expected}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
