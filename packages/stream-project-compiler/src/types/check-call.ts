import type { Call } from '../sql/tree/call.ts';
import type { FunctionRow, Operand } from './functions/function-row.ts';
import { notOnStreams } from './functions/not-on-streams.ts';
import { type OperandKind, operandWords, takesType } from './functions/operand-kinds.ts';
import type { TypedArgument } from './type-of-call.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-walk.ts';

interface CallCheck {
  readonly values: readonly TypedArgument[];
  readonly walk: TypeWalk;
}

/** Reports what the engine refuses about a call: how many arguments, of which types. False when it has no type then. */
export function checkCall(node: Call, row: FunctionRow, { values, walk }: CallCheck): boolean {
  const name = node.name.map((part) => part.name.toUpperCase()).join('.');
  const instead = notOnStreams.get(name);
  const { start, end } = node;
  if (instead !== undefined) {
    const message = `function ${name}, which the engine does not run on streams`;
    walk.report?.({ name: 'function-not-on-streams', message, hint: instead, start, end });
  }
  const count = node.arguments.filter(
    ({ value }) => value.kind !== 'time-unit' && value.kind !== 'star',
  ).length;
  const { least, most } = argumentCount(row.operands);
  if ((count < least || count > most) && !hasStar(node)) {
    const message = `${name} with ${count} ${count === 1 ? 'argument' : 'arguments'}, ${countWords(least, most)} expected`;
    walk.report?.({ name: 'argument-count', message, start, end });
    return false;
  }
  return checkTypes(name, row.operands, { values, walk });
}

function hasStar(node: Call): boolean {
  return node.arguments.some(({ value }) => value.kind === 'star');
}

function argumentCount(operands: readonly Operand[]): { least: number; most: number } {
  const least = operands.filter((operand) => !/[?*]$/.test(operand)).length;
  const most = operands.at(-1)?.endsWith('*') ? Number.POSITIVE_INFINITY : operands.length;
  return { least, most };
}

function countWords(least: number, most: number): string {
  if (least === most) return least === 1 ? '1 was' : least === 0 ? 'none was' : `${least} were`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} ${least === 1 ? 'was' : 'were'}`;
  return `${least} to ${most} were`;
}

function checkTypes(name: string, operands: readonly Operand[], { values, walk }: CallCheck): boolean {
  let good = true;
  for (const [index, { value, type }] of values.entries()) {
    const operand = operands[index] ?? operands.at(-1);
    if (type === undefined || operand === undefined) continue;
    const kind = operand.replace(/[?*]$/, '') as OperandKind;
    if (takesType(kind, type)) continue;
    good = false;
    const which = operands.length > 1 ? ` as argument ${index + 1}` : '';
    const message = `${name} of ${typeWords(type)}${which}, ${operandWords(kind)} was expected`;
    reportMismatch(walk, value, message, conversionHint(kind));
  }
  return good;
}

const CONVERSIONS: Readonly<Partial<Record<OperandKind, string>>> = {
  text: 'write CAST(... AS STRING)',
  'text-or-binary': 'write CAST(... AS STRING)',
  number: 'write CAST(... AS DOUBLE)',
  integer: 'write CAST(... AS INT)',
  int: 'write CAST(... AS INT)',
  exact: 'write CAST(... AS INT)',
  timestamp: 'write CAST(... AS TIMESTAMP(3))',
  day: 'write CAST(... AS TIMESTAMP(3))',
  instant: 'write CAST(... AS TIMESTAMP(3))',
};

function conversionHint(kind: OperandKind): string | undefined {
  return CONVERSIONS[kind];
}
