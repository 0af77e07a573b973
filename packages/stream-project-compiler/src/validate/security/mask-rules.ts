import type { NodeColumn } from '../../columns/nodes/node-columns.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Mask } from '../../lineage/masks.ts';
import { placeOf } from '../../parse/node-place.ts';
import { familyOf, type TypeFamily } from '../../types/type-families.ts';
import { type MaskContext, type MaskRule, maskFinding, maskRange, shownMaskColumn } from './mask-context.ts';
import { securityCodes } from './security-codes.ts';

const notWhole: ReadonlySet<TypeFamily> = new Set(['array', 'map', 'multiset', 'row', 'variant']);

/** A mask suits the type of its column. */
export const maskType: MaskRule = (context) => {
  const column = columnBefore(context);
  const why = column === undefined ? undefined : misfit(context.mask, column);
  if (why === undefined) return [];
  const message = `the mask ${quote(context.mask.method)} of column ${quote(shownMaskColumn(context))} ${why.what}`;
  return [maskFinding(securityCodes['mask-type'], context, { key: 'method', message, hint: why.hint })];
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
    const what = 'makes text of a time attribute, which windows and temporal joins can then not use';
    return { what, hint: 'mask another column, or leave this one out of the SELECT' };
  }
  const family = familyOf(type);
  if (notWhole.has(family)) {
    return {
      what: `cannot be made of ${type.name}, expected a plain value`,
      hint: 'mask its parts in the SQL, or write "method: null"',
    };
  }
  if (family !== 'boolean' || method === 'redact') return undefined;
  return {
    what: `hides nothing of ${type.name}, which has two values`,
    hint: 'write "method: redact" or "method: null"',
  };
}

/** No reader of a column has two masks. */
export const maskTwice: MaskRule = (context) => {
  const { model, mask, earlier: other } = context;
  if (other === undefined) return [];
  const whom = mask.roles === undefined || other.roles === undefined ? '' : ' for the same role';
  const message = `the column ${quote(shownMaskColumn(context))} is masked twice${whom}, and the first mask counts`;
  const related = [{ message: 'the first mask', range: maskRange(model, other, 'column') }];
  return [
    maskFinding(securityCodes['mask-twice'], context, {
      key: 'column',
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
  const message = `the mask "tokenize" of column ${quote(shownMaskColumn(context))} needs a function that the engine does not have`;
  const hint = 'register such a function on the cluster, or write "method: hash"';
  return [maskFinding(securityCodes['mask-tokenize'], context, { key: 'method', message, hint })];
};

/** Keys stay different. */
export const maskKey: MaskRule = (context) => {
  const { model, mask } = context;
  const key = placeOf(model.definition.node, 'key').node;
  const keeps = mask.method === 'hash' || mask.method === 'tokenize';
  if (keeps || key?.known !== true || key.value !== mask.column) return [];
  const message = `the mask ${quote(mask.method)} of column ${quote(shownMaskColumn(context))} gives different keys of model ${quote(model.name)} one value`;
  const hint = 'write "method: hash", or choose another key';
  return [maskFinding(securityCodes['mask-key'], context, { key: 'method', message, hint })];
};

/** A connector can put null or a fixed text in place of a value, and no more. */
export const maskConnector: MaskRule = (context) => {
  const { kind, mask, model } = context;
  const can = mask.method === 'null' || mask.method === 'redact';
  if (kind !== 'sink' || can || mask.roles !== undefined) return [];
  const message = `the mask ${quote(mask.method)} of column ${quote(shownMaskColumn(context))} is in sink ${quote(model.name)}, and connectors can only replace values by null or a fixed text`;
  const hint = 'move it to the model that the sink reads, or write "method: redact" or "method: null"';
  return [maskFinding(securityCodes['mask-connector'], context, { key: 'method', message, hint })];
};
