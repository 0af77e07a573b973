import { nearestName } from '@levada/stream-project-schema';
import { type Call, type Query, type Span, walkSql } from '@levada/stream-sql';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { objectAt } from '../../parse/known-value.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { at, atSql, finding, named } from '../finding.ts';
import { checkType } from './column-type.ts';
import { declarationCodes } from './declaration-codes.ts';
import { checkColumnNames, declaredColumns } from './declared-columns.ts';

/** Reports what is wrong in `ml_outputs`, and where it and the calls of the SQL do not go together. */
export function checkModelOutputs(model: ResolvedModel): readonly Diagnostic[] {
  const { definition, sql } = model;
  const outputs = objectAt(definition.node, 'ml_outputs');
  const declared = [...(outputs?.entries.keys() ?? [])];
  const columns = declared.flatMap((name) => {
    const listed = declaredColumns(definition, ['ml_outputs', name, 'columns']);
    return [
      ...checkColumnNames(definition, listed, declarationCodes['duplicate-column']),
      ...listed.flatMap((column) => checkType(definition, column)),
    ];
  });
  const query = sql?.parsed.diagnostics.length === 0 ? sql.parsed.query : undefined;
  const calls = query === undefined ? undefined : mayCall(sql?.text ?? '') ? modelCalls(query) : [];
  if (calls === undefined) return columns;
  const called = new Set(calls.map((call) => call.model));
  const mayHint = sql !== undefined && !isReplaced(sql.leaf);
  const unused = declared
    .filter((name) => !called.has(name))
    .map((name) => unusedOutput(model, name, mayHint ? nearestName(name, called) : undefined));
  return [...columns, ...unused, ...undeclaredCalls(model, calls, declared)];
}

/** Most SQL has no such call, and looking at each of its nodes takes long. */
function mayCall(sql: string): boolean {
  return /ML_/i.test(sql);
}

function unusedOutput({ definition }: ResolvedModel, name: string, near: string | undefined): Diagnostic {
  const message = `"ml_outputs" of ${named(definition)} declares ${quote(name)}, which its SQL does not call`;
  const hint = near === undefined ? undefined : `its SQL calls "${near}"`;
  const path = ['ml_outputs', name];
  return finding(declarationCodes['ml-output-unused'], at(definition, path, 'key'), { message, hint });
}

/** Each name once. What `ML_EVALUATE` answers does not depend on the model. */
function undeclaredCalls(
  { definition, sql }: ResolvedModel,
  calls: readonly ModelCall[],
  declared: readonly string[],
): readonly Diagnostic[] {
  const known = new Set(declared);
  return calls.flatMap((call) => {
    if (
      sql === undefined ||
      !isDeclared(definition.node, 'ml_outputs') ||
      call.function !== 'ML_PREDICT' ||
      known.has(call.model)
    )
      return [];
    known.add(call.model);
    const shown = isReplaced(sql.leaf) ? sql.writtenAt(call) : call.model;
    return [
      finding(declarationCodes['ml-output-undeclared'], atSql({ definition, sql }, call), {
        message: `${named(definition)}: the machine-learning model ${quote(shown)} is not declared in "ml_outputs"`,
        hint: isReplaced(sql.leaf) ? undefined : `add "ml_outputs.${call.model}.columns"`,
      }),
    ];
  });
}

/** A call of a machine-learning model in SQL. */
interface ModelCall extends Span {
  /** Of the machine-learning model. */
  readonly model: string;
  /** In upper case: `ML_PREDICT`. */
  readonly function: string;
}

/**
 * The machine-learning models that a query calls: `ML_PREDICT('fraud', a)`, or `ML_PREDICT(TABLE t, MODEL fraud, …)`. Undefined when a
 * call names its model in another way, so that it is not known.
 */
function modelCalls(query: Query): readonly ModelCall[] | undefined {
  const calls: (ModelCall | undefined)[] = [];
  walkSql(query, (node) => {
    if (node.kind === 'call' && /^ML_/i.test(node.name.at(-1)?.name ?? '')) calls.push(modelCall(node));
    return undefined;
  });
  const named = calls.filter((call) => call !== undefined);
  return named.length === calls.length ? named : undefined;
}

function modelCall(call: Call): ModelCall | undefined {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  for (const { value } of call.arguments) {
    if (value.kind === 'model-argument' && value.model.kind === 'table-name') {
      const { start, end, path } = value.model;
      return { model: path.at(-1)?.name ?? '', function: name, start, end };
    }
  }
  const first = call.arguments[0]?.value;
  if (first?.kind !== 'literal' || first.type !== 'string') return undefined;
  return { model: first.value, function: name, start: first.start, end: first.end };
}
