import {
  type Field,
  formatPath,
  isLeaf,
  type LeafField,
  nearestName,
  valueProblem,
} from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import { type InterpolatedText, interpolate } from './interpolate.ts';
import { type Place, pathOf, type ReadContext, reportAt, wordsFor } from './read-context.ts';
import { holdsCredentials, isOnlyReferences, reportSecretInClear } from './secret-in-clear.ts';
import type { LeafNode } from './typed-node.ts';
import type { YamlScalar } from './yaml-tree.ts';

/** Reads a value that holds no others: replaces its variables and checks it against its row. */
export function readLeaf(context: ReadContext, row: Field, scalar: YamlScalar, place: Place): LeafNode {
  const interpolated =
    typeof scalar.value === 'string' ? interpolate(scalar.value, context.variables) : undefined;
  const secret = place.secret || ('secret' in row && row.secret === true) || isWithPassword(scalar);
  const facts = {
    kind: 'leaf',
    row,
    span: scalar.span,
    scalar,
    ...(interpolated === undefined ? {} : { interpolated }),
    ...(secret ? { secret: true as const } : {}),
  } as const;
  if (secret && !isOnlyReferences(scalar.value)) context.secrets.push(scalar.span);
  if (secret) reportSecretInClear(context, row, scalar, place);
  if (scalar.broken === true || !isResolved(context, facts, place)) {
    return { ...facts, known: false, value: undefined };
  }
  const value = interpolated === undefined ? scalar.value : converted(row, interpolated);
  const known = !isLeaf(row) || isRight(context, { row, value, leaf: facts }, place);
  return { ...facts, known, value };
}

/** Whether all variables have values; those without are noted, and what only looks like a variable is reported. */
function isResolved(
  context: ReadContext,
  { interpolated, scalar, secret }: Pick<LeafNode, 'interpolated' | 'scalar' | 'secret'>,
  place: Place,
): boolean {
  if (interpolated === undefined) return true;
  const { span } = scalar;
  for (const name of interpolated.missing) {
    const facts = { name, span, path: formatPath(pathOf(place)) };
    context.missing.push(secret ? { ...facts, secret } : facts);
  }
  const [malformed] = interpolated.malformed;
  if (malformed !== undefined && !place.secret) {
    const text = String(scalar.value).slice(malformed.start, malformed.end);
    const message = `${quote(text)} is not a valid variable and is kept as text`;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it speaks of variables
    const hint = 'use "${NAME}" with letters, digits and "_", or "$${" for the text "${"';
    reportAt(context, 'variable-syntax', { place, span, message, hint });
  }
  return interpolated.missing.length === 0;
}

/** Text from variables where a number or a boolean is expected is read as YAML would. */
function converted(row: Field, { text }: InterpolatedText): unknown {
  if (row.type === 'integer' || row.type === 'number') {
    const number = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(text.trim());
    return number ? Number(text.trim()) : text;
  }
  if (row.type === 'boolean') {
    if (/^(?:true|True|TRUE)$/.test(text)) return true;
    return /^(?:false|False|FALSE)$/.test(text) ? false : text;
  }
  return text;
}

interface Checked {
  readonly row: LeafField;
  readonly value: unknown;
  readonly leaf: Pick<LeafNode, 'scalar' | 'interpolated' | 'secret'>;
}

function isRight(context: ReadContext, checked: Checked, place: Place): boolean {
  const { row, value, leaf } = checked;
  const problem = valueProblem(row, value);
  const { span } = leaf.scalar;
  if (problem === undefined) {
    if (row.type !== 'text' || row.format !== 'date' || value === '' || dateExists(String(value)))
      return true;
    const message = `${wordsFor(place)} ${found(context, checked)}, a day or time that does not exist`;
    reportAt(context, 'invalid-value', { place, span, message });
    return false;
  }
  const expected = problem.expected;
  const shown = span.start === span.end ? place.head : span;
  const message = `${wordsFor(place)} ${found(context, checked)}, expected ${expected}`;
  const hint = hintFor(checked, problem.kind);
  if (problem.kind === 'advice' || isAddressFromVariable(checked)) {
    reportAt(context, 'unusual-value', { place, span: shown, message, hint });
    return true;
  }
  reportAt(context, problem.kind, { place, span: shown, message, hint });
  return false;
}

/** Nothing is contacted here, and where a project is only checked, addresses in variables are often stand-ins. */
function isAddressFromVariable({ row, value, leaf }: Checked): boolean {
  if (leaf.interpolated === undefined || row.type !== 'text' || value === '') return false;
  return row.format === 'http-url' || row.format === 'servers';
}

/** The value as it is written: the value of a variable is not shown. */
function found({ file }: ReadContext, { value, leaf }: Checked): string {
  if (leaf.secret === true) return 'is not valid';
  const { scalar, interpolated } = leaf;
  if (interpolated !== undefined) return `is replaced from ${quote(String(scalar.value))} and is not valid`;
  if (value === null) return scalar.span.start === scalar.span.end ? 'has no value' : 'is null';
  if (typeof value === 'string') return value === '' ? 'is empty' : `is ${quote(value)}`;
  return `is ${quote(file.text.slice(scalar.span.start, scalar.span.end))} without quotes`;
}

function hintFor({ row, value, leaf }: Checked, kind: string): string | undefined {
  if (leaf.secret === true || leaf.interpolated !== undefined) return undefined;
  if (value === null && kind === 'wrong-type') return 'give it a value, or remove the key';
  if (row.type === 'text' && kind === 'wrong-type') return 'put the value in quotes';
  if (row.type !== 'enum' || typeof value !== 'string') return undefined;
  const near = nearestName(value, Object.keys(row.values));
  const word = Object.keys(row.values).find((one) => one.toLowerCase() === value.toLowerCase()) ?? near;
  return word === undefined ? undefined : `did you mean "${word}"?`;
}

function isWithPassword({ value }: YamlScalar): boolean {
  return typeof value === 'string' && holdsCredentials(value);
}

/** Whether text of the form of an ISO 8601 date, or date and time, names a day and time of the calendar. */
function dateExists(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && !Number.isNaN(Date.parse(text));
}
