import type { Mask } from '../../lineage/masks.ts';

/** The first mask before this one for the same readers of its column. Asked once for each mask of a model, in their order. */
export type EarlierMask = (mask: Mask) => Mask | undefined;

interface MaskedColumn {
  everybody: Mask | undefined;
  readonly byRole: Map<string, Mask>;
}

/** A mask for some roles before one for everybody else is no mistake; behind it is. */
export function earlierMask(): EarlierMask {
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
