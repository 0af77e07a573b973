import type { Rule } from '../../rule.ts';
import { columnHints } from '../find-column.ts';
import { checkModelColumns } from './check-model-columns.ts';
import { checkModelOutputs } from './check-model-outputs.ts';
import { checkColumnNames } from './check-names.ts';
import { declaredColumns } from './declared-columns.ts';

/** What each model declares beside its SQL. */
export const checkModels: Rule = ({ project }) => {
  const hint = columnHints();
  return [...project.resolved.models.values()].flatMap((model) => [
    ...checkColumnNames(
      model.definition,
      declaredColumns(model.definition, ['columns']),
      'column-described-twice',
    ),
    ...checkModelColumns(model, project.columns.get(model.id), hint),
    ...checkModelOutputs(model),
  ]);
};
