import { nearestName } from '@levada/stream-project-schema';
import { type DataType, type ParsedType, parseSqlType, type Span, walkSql } from '@levada/stream-sql';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { type TextNode, textAt } from '../../parse/known-value.ts';
import { isReplaced, valuePlaces } from '../../resolve/place-in-file.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { declaredType } from '../../types/type-of-data-type.ts';
import { at, finding, named } from '../finding.ts';
import { shown } from '../written-value.ts';
import { declarationCodes } from './declaration-codes.ts';
import type { DeclaredColumn } from './declared-columns.ts';

/** The mistakes in a text that declares a type. */
interface TypeProblem extends Span {
  readonly what: string;
  /** After the type. */
  readonly detail: string;
  readonly hint: string | undefined;
}

/**
 * Reports the type of a column when the engine has none like it. The place is what is wrong within it. `known` is what the text was
 * read as before, if it was.
 */
export function checkType(
  definition: Definition,
  { node, name, path }: DeclaredColumn,
  known?: SqlType,
): readonly Diagnostic[] {
  const type = textAt(node, 'type');
  if (type === undefined || mayBeColumn(known ?? declaredType(type.value))) return [];
  const problem = typeProblem(type.value);
  if (problem === undefined) return [];
  const { what, detail, hint } = isReplaced(type) ? unknownType : problem;
  const place = { ...at(definition, [...path, 'type']), range: rangeOfProblem(definition, type, problem) };
  return [
    finding(declarationCodes['column-type'], place, {
      message: `column ${quote(shown(name))} of ${named(definition)}: ${what} ${quote(shown(type))}${detail}`,
      hint,
    }),
  ];
}

function mayBeColumn(type: SqlType | undefined): boolean {
  return type !== undefined && type.name !== 'INTERVAL';
}

function rangeOfProblem(definition: Definition, type: TextNode, { start, end }: Span) {
  // At the end of the text there is nothing to underline
  const span = start >= type.value.length ? { start: 0, end: type.value.length } : { start, end };
  return valuePlaces(definition, type).rangeOf(span);
}

const unknownType = { what: 'unknown type', detail: '', hint: undefined };

/** Types to name where a word is nearly one of them. */
const usual = [
  'STRING',
  'INT',
  'BIGINT',
  'DOUBLE',
  'FLOAT',
  'DECIMAL',
  'BOOLEAN',
  'DATE',
  'TIME',
  'TIMESTAMP',
];

function typeProblem(text: string): TypeProblem | undefined {
  const { type, diagnostics }: ParsedType = parseSqlType(text);
  const [found] = diagnostics;
  if (found === undefined) {
    const { start, end } = type;
    if (type.type === 'INTERVAL') return { ...unknownType, what: 'unsupported column type', start, end };
    if (type.type !== 'NAMED') return undefined;
    const near = nearestName(text, usual);
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    return { ...unknownType, hint, start, end };
  }
  const { code, message, start, end, hint, fix } = found;
  // In place of a type, backticks do not make the word right
  if (code === 'sql-reserved-word' && !namesField(type, found)) return { ...unknownType, start, end };
  const problem = code === 'sql-type' ? unknownType : { what: 'invalid type', detail: `: ${message}` };
  return { ...problem, hint: hint ?? (fix === undefined ? undefined : `write ${fix}`), start, end };
}

/** Whether this is the name of a field of a row. */
function namesField(type: DataType, { start }: Span): boolean {
  let found = false;
  walkSql(type, (node) => {
    found ||= node.kind === 'row-type-field' && node.name.start === start;
    return found ? 'skip' : undefined;
  });
  return found;
}
