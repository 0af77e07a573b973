/** How a part of a selector names nodes. */
export type SelectorMethod =
  | 'name'
  | 'source'
  | 'model'
  | 'exposure'
  | 'tag'
  | 'owner'
  | 'group'
  | 'path'
  | 'kind'
  | 'access';

/** How many edges to follow from the nodes that a part names; `Number.POSITIVE_INFINITY` is all of them, 0 none. */
export type SelectorDepth = number;

/** One part of a selector: `2+tag:pii`. */
export interface SelectorPart {
  readonly method: string;
  /** What to look for, with `*` for any characters. */
  readonly pattern: string;
  readonly upstream: SelectorDepth;
  readonly downstream: SelectorDepth;
}

const form = /^(?:(\d*)\+)?(?:([A-Za-z_]+):)?(.*?)(?:\+(\d*))?$/su;

/** The parts of a selector, separated by commas; all of them must hold. */
export function parseSelector(selector: string): readonly SelectorPart[] {
  return selector.split(',').map((part) => parsePart(part.trim()));
}

function parsePart(part: string): SelectorPart {
  const [, upstream, method = 'name', pattern = '', downstream] = form.exec(part) ?? [];
  return { method, pattern, upstream: depth(upstream), downstream: depth(downstream) };
}

/** `+` without a number goes all the way. */
function depth(digits: string | undefined): SelectorDepth {
  if (digits === undefined) return 0;
  return digits === '' ? Number.POSITIVE_INFINITY : Number(digits);
}
