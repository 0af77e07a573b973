import type { Materialization } from '@levada/stream-project-schema';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { CatalogueEntry, Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type Mask, modelMasks } from '../../lineage/masks.ts';
import { placeOf } from '../../parse/node-place.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { TextRange } from '../../text/range.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { earlierMask } from './earlier-mask.ts';

/** A mask, and the model that has it. */
export interface MaskContext extends RuleContext {
  readonly model: ResolvedModel;
  /** Undefined where it cannot be told. */
  readonly kind: Materialization | undefined;
  readonly mask: Mask;
  /** The first mask before this one for the same readers of the column. */
  readonly earlier: Mask | undefined;
}

/** A rule that looks at one mask. */
export type MaskRule = (context: MaskContext) => readonly Diagnostic[];

/** Runs such rules over every mask of every model, save masks of columns that the model does not have: that is reported once. */
export function forEachMask(rules: readonly MaskRule[]): Rule {
  return (context) => {
    const { project, memory } = context;
    return [...project.resolved.models.values()].flatMap((model) => {
      const { masks } = memory.recall(modelMasks, model.definition, []);
      if (masks.length === 0) return [];
      const kind = project.materialized.get(model.name)?.kind;
      const columns = project.columns.get(model.id);
      const isThere = ({ column }: Mask) =>
        columns === undefined || columns.incomplete !== undefined || columns.byName.has(column);
      const earlierOf = earlierMask();
      return masks.filter(isThere).flatMap((mask) => {
        const facts: MaskContext = { ...context, model, kind, mask, earlier: earlierOf(mask) };
        return rules.flatMap((rule) => rule(facts));
      });
    });
  };
}

/** What a finding about a mask says. */
export interface MaskFinding {
  /** The key within the mask to underline. */
  readonly key: 'column' | 'method' | 'for_roles';
  readonly message: string;
  readonly hint: string;
  readonly related?: Diagnostic['related'];
}

/** A finding about a mask. */
export function maskFinding(
  entry: CatalogueEntry,
  { model, mask }: MaskContext,
  { key, message, hint, related }: MaskFinding,
): Diagnostic {
  const { definition } = model;
  const range = maskRange(model, mask, key);
  const path = `${definition.path}.${mask.path}.${key}`;
  return diagnose(entry, { message, range, path, object: definition.object, related, hint });
}

/** Where a key of a mask stands. */
export function maskRange({ definition }: ResolvedModel, mask: Mask, key: MaskFinding['key']): TextRange {
  return rangeAt(definition.file, placeOf(definition.node, `${mask.path}.${key}`).span);
}

/** The column of a mask as it may be shown. */
export function shownMaskColumn({ model, mask }: MaskContext): string {
  return shownText(placeOf(model.definition.node, `${mask.path}.column`).node, mask.column);
}
