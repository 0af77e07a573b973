import type { NodeColumns } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { type ColumnHint, columnHints } from '../column-hints.ts';
import type { Rule } from '../rule.ts';
import { checkEventTime } from './check-event-time.ts';
import { checkModelColumns } from './check-model-columns.ts';
import { checkModelOutputs } from './check-model-outputs.ts';
import { checkColumnNames } from './check-names.ts';
import { declarationCodes } from './declaration-codes.ts';
import { declaredColumns } from './declared-columns.ts';

/** What each model declares beside its SQL. */
export const checkModels: Rule = ({ project, memory }) => {
  const hint = columnHints();
  return [...project.resolved.models.values()].flatMap((model) => {
    const columns = project.columns.get(model.id);
    const check = () => checkModel(model, columns, hint);
    return memory.check('declared', { object: model, needs: [columns] }, check);
  });
};

function checkModel(
  model: ResolvedModel,
  columns: NodeColumns | undefined,
  hint: ColumnHint,
): readonly Diagnostic[] {
  const { definition } = model;
  return [
    ...checkColumnNames(
      definition,
      declaredColumns(definition, ['columns']),
      declarationCodes['column-described-twice'],
    ),
    ...checkModelColumns(model, columns, hint),
    ...checkEventTime({ definition, section: ['advanced', 'event_time'], columns, hint }),
    ...checkModelOutputs(model),
  ];
}
