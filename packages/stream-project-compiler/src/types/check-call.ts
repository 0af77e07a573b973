import type { Call } from '@levada/stream-sql';
import type { FunctionRow, Operand } from './functions/function-row.ts';
import { notOnStreams } from './functions/not-on-streams.ts';
import { type OperandKind, operandHint, operandWords, takesType } from './functions/operand-kinds.ts';
import { overFunctions } from './functions/over-functions.ts';
import type { TypedArgument } from './type-of-call.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-walk.ts';

interface CallCheck {
  readonly values: readonly TypedArgument[];
  readonly walk: TypeWalk;
}

/** Reports what the engine refuses about a call: how many arguments, of which types. False when it has no type then. */
export function checkCall(node: Call, row: FunctionRow, { values, walk }: CallCheck): boolean {
  const name = node.name.map((part) => part.name.toUpperCase()).join('.');
  checkFunction(name, node, walk);
  if (!checkCount(name, node, { operands: row.operands, walk })) return false;
  return checkTypes(name, row.operands, { values, walk });
}

function checkFunction(name: string, { start, end, over }: Call, walk: TypeWalk): void {
  const hint = notOnStreams.get(name);
  if (hint !== undefined) {
    const message = `function ${name}, which the engine does not run on streams`;
    walk.report?.({ name: 'function-not-on-streams', message, hint, start, end });
  } else if (over === undefined && overFunctions.has(name)) {
    const message = `${name} without OVER, which was expected behind it`;
    const order = `write ${name}(...) OVER (PARTITION BY ... ORDER BY ...)`;
    walk.report?.({ name: 'over-required', message, hint: order, start, end });
  }
}

interface CountCheck {
  readonly operands: readonly Operand[];
  readonly walk: TypeWalk;
}

function checkCount(name: string, node: Call, { operands, walk }: CountCheck): boolean {
  const counted = node.arguments.filter(({ value }) => value.kind !== 'time-unit');
  const { least, most } = argumentCount(operands);
  const count = counted.length;
  if ((count >= least && count <= most) || hasStar(node)) return true;
  const message = `${name} with ${count} ${count === 1 ? 'argument' : 'arguments'}, ${countWords(least, most)} expected`;
  walk.report?.({ name: 'argument-count', message, start: node.start, end: node.end });
  return false;
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
    reportMismatch(walk, value, message, operandHint(kind));
  }
  return good;
}
