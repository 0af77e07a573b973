import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { ColumnClass } from '../../lineage/classification-flow.ts';
import { classificationPath } from '../../lineage/classification-path.ts';
import { type DeclaredClassification, rankOf } from '../../lineage/declared-classifications.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { FlowModelRule } from './flow-model-rule.ts';
import type { FlowContext } from './flow-rule.ts';
import { securityCodes } from './security-codes.ts';
import { pathPlaces, shownPath } from './shown-path.ts';

/** What models declare about a column that they hand on, and twice about one. At a sink the column itself is reported. */
export const declaredLevels: FlowModelRule =
  (context) =>
  ({ model, isSink }) =>
    [...(context.flow.get(model.id) ?? [])].flatMap(([column, found]) => [
      ...twice(model, found.declared),
      ...(isSink ? [] : lowered(context, { model, column, found })),
    ]);

function twice(
  { name, definition }: ResolvedModel,
  declared: DeclaredClassification | undefined,
): readonly Diagnostic[] {
  const other = declared?.other;
  if (declared === undefined || other === undefined) return [];
  return [
    diagnose(securityCodes['classification-twice'], {
      message: `model ${quote(name)} declares the column ${quote(declared.shown)} ${other.level ?? ''} here and ${declared.level ?? ''} elsewhere, expected one classification; the higher one counts`,
      range: other.range(),
      path: other.path,
      object: definition.object,
      related: [{ message: `${declared.level ?? ''} here`, range: declared.range() }],
      hint: 'remove one of them',
    }),
  ];
}

interface Found {
  readonly model: ResolvedModel;
  readonly column: string;
  readonly found: ColumnClass;
}

function lowered(context: FlowContext, { model, column, found }: Found): readonly Diagnostic[] {
  const { declared, identical, masks, masked } = found;
  if (declared?.level === undefined || identical === undefined || masked || masks.length > 0) return [];
  if (rankOf(declared.level) >= rankOf(identical.level)) return [];
  const path = classificationPath(context.flow, { node: model.id, column });
  return [
    diagnose(securityCodes['classification-lowered'], {
      message: `model ${quote(model.name)} declares the column ${quote(declared.shown)} ${declared.level} and hands it on as it is, but it holds what is ${identical.level}, path: ${shownPath(context, path)}`,
      range: declared.range(),
      path: declared.path,
      object: model.definition.object,
      related: pathPlaces(context, path),
      hint: `write ${identical.level}, or mask the column`,
    }),
  ];
}
