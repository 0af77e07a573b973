import type { Materialization } from '@levada/stream-project-schema';
import type { NodeColumn } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { keepsApart, type Mask, modelMasks } from '../../infer/masks.ts';
import { placeOf } from '../../parse/node-place.ts';
import { isOnlyReferences } from '../../parse/secret-in-clear.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { familyOf, type TypeFamily } from '../../types/type-families.ts';
import { at, finding, named, type Place } from '../finding.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { securityCodes } from './security-codes.ts';

/** A mask, and the model that has it. */
export interface MaskContext extends RuleContext {
  readonly model: ResolvedModel;
  /** Undefined where it is not known. */
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

/** The place of a key of a mask. */
export function atMask(
  { definition }: ResolvedModel,
  mask: Mask,
  key: 'column' | 'method' | 'for_roles',
): Place {
  return at(definition, `${mask.path}.${key}`);
}

/** The column of a mask as it may be shown. */
export function shownMaskColumn({ model, mask }: MaskContext): string {
  return shownText(placeOf(model.definition.node, `${mask.path}.column`).node, mask.column);
}

/** The first mask before this one for the same readers of its column. Asked once for each mask of a model, in their order. */
type EarlierMask = (mask: Mask) => Mask | undefined;

interface MaskedColumn {
  everybody: Mask | undefined;
  readonly byRole: Map<string, Mask>;
}

/** A mask for some roles before one for all other readers is right; after it is a mistake. */
function earlierMask(): EarlierMask {
  const columns = new Map<string, MaskedColumn>();
  return (mask) => {
    const known = columns.get(mask.column) ?? { everybody: undefined, byRole: new Map<string, Mask>() };
    columns.set(mask.column, known);
    const { everybody, byRole } = known;
    if (mask.roles === undefined) {
      known.everybody ??= mask;
      return everybody;
    }
    const role = mask.roles.find((one) => byRole.has(one));
    for (const one of mask.roles) if (!byRole.has(one)) byRole.set(one, mask);
    return everybody ?? (role === undefined ? undefined : byRole.get(role));
  };
}

const notWhole: ReadonlySet<TypeFamily> = new Set(['array', 'map', 'multiset', 'row', 'variant']);

/** A mask suits the type of its column. */
export const maskType: MaskRule = (context) => {
  const column = columnBefore(context);
  const why = column === undefined ? undefined : misfit(context.mask, column);
  if (why === undefined) return [];
  const message = `mask ${quote(context.mask.method)} of column ${quote(shownMaskColumn(context))} ${why.what}`;
  return [
    finding(securityCodes['mask-type'], atMask(context.model, context.mask, 'method'), {
      message,
      hint: why.hint,
    }),
  ];
};

/** The column that is handed on as it is: its own type is that of the masked value. Undefined for any other. */
function columnBefore({ project, model, mask }: MaskContext): NodeColumn | undefined {
  const [origin, another] = project.columns.get(model.id)?.byName.get(mask.column)?.origins ?? [];
  if (origin?.through !== 'identity' || another !== undefined) return undefined;
  return project.columns.get(origin.node)?.byName.get(origin.column);
}

function misfit(
  { method }: Mask,
  { type, time }: NodeColumn,
): { readonly what: string; readonly hint: string } | undefined {
  if (method === 'null' || type === undefined) return undefined;
  if (time !== undefined) {
    const what = 'turns a time attribute into text, which windows and temporal joins cannot use';
    return { what, hint: 'mask another column, or leave this one out of the SELECT' };
  }
  const family = familyOf(type);
  if (notWhole.has(family)) {
    return {
      what: `cannot be applied to ${type.name}, expected a plain value`,
      hint: 'mask its parts in the SQL, or write "method: null"',
    };
  }
  if (family !== 'boolean' || method === 'redact') return undefined;
  return {
    what: `does not hide ${type.name}, which has only two values`,
    hint: 'write "method: redact" or "method: null"',
  };
}

/** No reader of a column has two masks. */
export const maskTwice: MaskRule = (context) => {
  const { model, mask, earlier: other } = context;
  if (other === undefined) return [];
  const whom = mask.roles === undefined || other.roles === undefined ? '' : ' for the same role';
  const message = `duplicate mask of column ${quote(shownMaskColumn(context))}${whom}; the first one applies`;
  const related = [{ message: 'first mask', range: atMask(model, other, 'column').range }];
  return [
    finding(securityCodes['mask-twice'], atMask(model, mask, 'column'), {
      message,
      related,
      hint: 'remove one of them',
    }),
  ];
};

/** Tokens need a function that the engine does not have. Gateways and connectors may have one. */
export const maskTokenize: MaskRule = (context) => {
  const { kind, model, mask } = context;
  const inSql =
    model.sql !== undefined && (kind === 'engine' || kind === 'topic') && mask.roles === undefined;
  if (mask.method !== 'tokenize' || !inSql) return [];
  const message = `mask "tokenize" of column ${quote(shownMaskColumn(context))} needs a function that the engine does not have`;
  const hint = 'register such a function on the cluster, or write "method: hash"';
  return [
    finding(securityCodes['mask-tokenize'], atMask(context.model, context.mask, 'method'), { message, hint }),
  ];
};

/** A secret is a variable, of a hash that a job computes. */
export const maskSecret: MaskRule = (context) => {
  const { kind, model, mask } = context;
  if (mask.secret === undefined) return [];
  const column = quote(shownMaskColumn(context));
  const { node } = placeOf(model.definition.node, `${mask.path}.secret`);
  const place = at(model.definition, `${mask.path}.secret`);
  const isJob =
    model.sql !== undefined && (kind === 'engine' || kind === 'topic') && mask.roles === undefined;
  if (mask.method !== 'hash' || (!isJob && kind !== 'sink')) {
    const where = mask.method === 'hash' ? 'where no job applies it' : `in mask ${quote(mask.method)}`;
    const message = `the secret of column ${column} has no effect ${where}`;
    const hint =
      mask.method === 'hash'
        ? 'move the mask to the model with SQL that the topic is of, for all readers'
        : 'write "method: hash", or remove "secret"';
    return [finding(securityCodes['mask-secret-unused'], place, { message, hint })];
  }
  // Any other text was reported as a secret in clear
  if (mask.secret !== 'wrong' || node?.kind !== 'leaf' || !isOnlyReferences(node.scalar.value)) return [];
  const message = `the secret of column ${column} is ${node.value === '' ? 'empty' : 'more than one variable, or has a default'}, expected a variable such as "\${MASK_SECRET}"`;
  const hint = `write "\${MASK_SECRET}", and set it in the environment`;
  return [finding(securityCodes['mask-secret'], place, { message, hint })];
};

/** Keys stay different. */
export const maskKey: MaskRule = (context) => {
  const { model, mask } = context;
  const key = placeOf(model.definition.node, 'key').node;
  if (keepsApart(mask) || key?.known !== true || key.value !== mask.column) return [];
  const message = `mask ${quote(mask.method)} of column ${quote(shownMaskColumn(context))} maps different keys of ${named(model.definition)} to one value`;
  const hint = 'write "method: hash", or choose another key';
  return [
    finding(securityCodes['mask-key'], atMask(context.model, context.mask, 'method'), { message, hint }),
  ];
};

/** A connector can take a field out or put a fixed text in place of text, and no more. */
export const maskConnector: MaskRule = (context) => {
  const { kind, mask, model, project } = context;
  if (kind !== 'sink' || mask.roles !== undefined) return [];
  const types = model.inputs.flatMap(({ target }) => {
    const found = target === undefined ? undefined : project.columns.get(target)?.byName.get(mask.column);
    return found?.type === undefined || isMaskedIn(context, target) ? [] : [found.type];
  });
  const why = unsupported(
    mask,
    types.find((type) => familyOf(type) !== 'text'),
  );
  if (why === undefined) return [];
  const message = `mask ${quote(mask.method)} of column ${quote(shownMaskColumn(context))} cannot be applied by sink ${quote(model.name)}: ${why}`;
  const hint = 'move it to the model that the sink reads, or write "method: null", which takes the field out';
  return [
    finding(securityCodes['mask-connector'], atMask(context.model, context.mask, 'method'), {
      message,
      hint,
    }),
  ];
};

/** A mask of the model that the sink reads has made text of the column. */
function isMaskedIn({ project, mask }: MaskContext, target: NodeId | undefined): boolean {
  const name = target?.startsWith('model:') === true ? target.slice('model:'.length) : undefined;
  const upstream = name === undefined ? undefined : project.resolved.models.get(name);
  return upstream !== undefined && modelMasks(upstream.definition).byColumn.has(mask.column);
}

/** `type` is one that is not text. */
function unsupported({ method, column }: Mask, type: SqlType | undefined): string | undefined {
  if (method !== 'null' && method !== 'redact') {
    return 'transformations of connectors can only replace text with a fixed text or take a field out';
  }
  if (method === 'redact' && type !== undefined) {
    return `its values are ${type.name}, and the transformation puts "***" in place of text only`;
  }
  return column.includes(',') ? 'transformations take a list of fields with commas between' : undefined;
}
