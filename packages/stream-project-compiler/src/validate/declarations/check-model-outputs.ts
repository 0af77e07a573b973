import { formatPath, nearestName, parsePath } from '@levada/stream-project-schema';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isTold } from '../../parse/is-told.ts';
import { objectAt } from '../../parse/known-value.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { findingAt, wordsOf } from '../finding-at.ts';
import { checkColumnNames } from './check-names.ts';
import { checkType } from './check-type.ts';
import { declarationCodes } from './declaration-codes.ts';
import { declaredColumns } from './declared-columns.ts';
import { type ModelCall, modelCalls } from './model-calls.ts';

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
  const message = `"ml_outputs" of ${wordsOf(definition)} declares ${quote(name)}, which its SQL does not call`;
  const hint = near === undefined ? undefined : `its SQL calls "${near}"`;
  const path = ['ml_outputs', name];
  return findingAt(declarationCodes['ml-output-unused'], definition, { path, mark: 'key', message, hint });
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
      !isTold(definition.node, 'ml_outputs') ||
      call.function !== 'ML_PREDICT' ||
      known.has(call.model)
    )
      return [];
    known.add(call.model);
    const shown = isReplaced(sql.leaf) ? sql.writtenAt(call) : call.model;
    return [
      diagnose(declarationCodes['ml-output-undeclared'], {
        message: `the SQL of ${wordsOf(definition)} calls the machine-learning model ${quote(shown)}, and "ml_outputs" does not say what it answers`,
        path: formatPath([...parsePath(definition.path), 'sql']),
        object: definition.object,
        range: sql.rangeOf(call),
        hint: isReplaced(sql.leaf) ? undefined : `add "ml_outputs.${call.model}.columns"`,
      }),
    ];
  });
}
