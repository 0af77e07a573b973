import { type MaskingMethod, maskingMethods } from '@levada/stream-project-schema';
import type { Definition } from '../parse/definition.ts';
import { isDeclared } from '../parse/is-declared.ts';
import { isText, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';

/** A mask of one output column of a model. */
export interface Mask {
  readonly column: string;
  readonly method: MaskingMethod;
  /** Roles that see the masked value; undefined is everybody. */
  readonly roles: readonly string[] | undefined;
  /** The variable that holds the secret of a hash, as it is written: `${NAME}`. `wrong` for any other text. */
  readonly secret: string | undefined;
  /** Within the model: `security.policies[0].mask`. */
  readonly path: string;
}

/** The masks of a model. */
export interface ModelMasks {
  readonly masks: readonly Mask[];
  /** The masks of each column. */
  readonly byColumn: ReadonlyMap<string, readonly Mask[]>;
  /** False when a policy cannot be read, which was reported: then anything may be masked. */
  readonly complete: boolean;
}

/** Whether different values stay different, so that rows are still found by them. */
export function keepsApart({ method }: Mask): boolean {
  return method === 'hash' || method === 'tokenize';
}

const none: ModelMasks = { masks: [], byColumn: new Map(), complete: true };

/** The masks of a model, in order of the file. */
export function modelMasks({ node }: Definition<'model'>): ModelMasks {
  const policies = placeOf(node, 'security.policies').node;
  if (policies === undefined) return { ...none, complete: isDeclared(node, 'security.policies') };
  if (policies.kind !== 'list') return { ...none, complete: false };
  const read = policies.items.map((item, index) => {
    const mask = placeOf(item, 'mask').node;
    return mask === undefined ? undefined : readMask(mask, `security.policies[${index}].mask`);
  });
  const complete = policies.items.every(({ known }) => known) && !read.includes('broken');
  const masks = read.filter((mask) => mask !== undefined && mask !== 'broken');
  return { masks, byColumn: Map.groupBy(masks, ({ column }) => column), complete };
}

function readMask(node: TypedNode, path: string): Mask | 'broken' {
  const column = textAt(node, 'column')?.value;
  const method = methodOf(placeOf(node, 'method').node);
  const roles = placeOf(node, 'for_roles').node;
  if (column === undefined || method === undefined) return 'broken';
  if (!isDeclared(node, 'for_roles')) return 'broken';
  const secret = secretOf(node);
  if (roles === undefined) return { column, method, roles: undefined, secret, path };
  if (roles.kind !== 'list' || !roles.items.every(({ known }) => known)) return 'broken';
  return { column, method, roles: roles.items.filter(isText).map(({ value }) => value), secret, path };
}

/** A secret is one variable, and nothing of it is written in a file. */
function secretOf(mask: TypedNode): string | undefined {
  const { node } = placeOf(mask, 'secret');
  if (node === undefined) return isDeclared(mask, 'secret') ? undefined : 'wrong';
  const written = node.kind === 'leaf' ? String(node.scalar.value) : '';
  return isText(node) && node.value !== '' && /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(written)
    ? written
    : 'wrong';
}

function methodOf(node: TypedNode | undefined): MaskingMethod | undefined {
  // The word needs no quotes, and is then not text.
  if (node?.known === true && node.value === null) return 'null';
  return isText(node) && isMethod(node.value) ? node.value : undefined;
}

function isMethod(text: string): text is MaskingMethod {
  return Object.hasOwn(maskingMethods, text);
}
