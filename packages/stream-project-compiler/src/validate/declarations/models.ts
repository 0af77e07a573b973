import type { FieldPath } from '@levada/stream-project-schema';
import type { NodeColumns } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { listAt, objectAt, textAt } from '../../parse/known-value.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { type ColumnHint, columnHints, lookUpColumn } from '../column-lookup.ts';
import { at, finding, named } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { shown } from '../written-value.ts';
import { declarationCodes } from './declaration-codes.ts';
import { checkColumnNames, declaredColumns } from './declared-columns.ts';
import { checkEventTime } from './event-time.ts';
import { checkModelOutputs } from './ml-outputs.ts';

/** Checks the declarations of each model outside of its SQL. */
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

/** A column that a model says something of. */
interface MentionedColumn {
  readonly name: string;
  readonly shown: string;
  readonly path: FieldPath;
  readonly mark: 'key' | 'value';
  /** What the model does with it: `describes`. */
  readonly verb: string;
}

/** Reports columns that a model describes, classifies or masks, and a key, that it does not have. */
function checkModelColumns(
  model: ResolvedModel,
  columns: NodeColumns | undefined,
  hint: ColumnHint,
): readonly Diagnostic[] {
  if (columns === undefined || columns.incomplete !== undefined) return [];
  const isMissing = (name: string) => lookUpColumn(columns, name)?.is === 'nothing';
  const { definition } = model;
  const mentioned = mentionedColumns(model)
    .filter(({ name }) => isMissing(name))
    .map(({ name, shown: written, verb, path, mark }) => {
      const message = `${named(definition)} ${verb} the unknown column ${quote(written)}`;
      return finding(declarationCodes['column-not-given'], at(definition, path, mark), {
        message,
        hint: hint(columns, name),
      });
    });
  const key = textAt(definition.node, 'key');
  if (key === undefined || !isMissing(key.value)) return mentioned;
  const message = `${named(definition)}: key ${quote(shown(key))} is not one of its columns`;
  return [
    ...mentioned,
    finding(declarationCodes['key-column'], at(definition, ['key']), {
      message,
      hint: hint(columns, key.value),
    }),
  ];
}

function mentionedColumns({ definition }: ResolvedModel): readonly MentionedColumn[] {
  const described = declaredColumns(definition, ['columns']).map(
    ({ name, path }): MentionedColumn => ({
      name: name.value,
      shown: shown(name),
      path: [...path, 'name'],
      mark: 'value',
      verb: 'describes',
    }),
  );
  const security = objectAt(definition.node, 'security');
  if (security === undefined) return described;
  const classified = [...(objectAt(security, 'classification')?.entries.keys() ?? [])].map(
    (name): MentionedColumn => ({
      name,
      shown: name,
      path: ['security', 'classification', name],
      mark: 'key',
      verb: 'classifies',
    }),
  );
  const masked = (listAt(security, 'policies')?.items ?? []).flatMap((item, index): MentionedColumn[] => {
    const mask = item.kind === 'object' ? objectAt(item, 'mask') : undefined;
    const column = mask === undefined ? undefined : textAt(mask, 'column');
    if (column === undefined) return [];
    const path = ['security', 'policies', index, 'mask', 'column'];
    return [{ name: column.value, shown: shown(column), path, mark: 'value', verb: 'masks' }];
  });
  return [...described, ...classified, ...masked];
}
