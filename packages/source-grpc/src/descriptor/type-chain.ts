import type { DescMessage } from '@bufbuild/protobuf';
import { shownName } from '../model/shown-name.ts';
import { invalidDescriptor } from './invalid-descriptor.ts';

/** Longest chain of types. Converters are made type by type, by recursion, and the stack must last. */
const MAX_CHAIN = 1000;

/** Throws when the fields of a message lead from type to type too far without coming to a type that was met before. */
export function checkTypeChain(root: DescMessage): void {
  const seen = new Set([root]);
  const path = [typesOf(root)];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const { value: next, done } = top.next();
    if (done === true) path.pop();
    else if (!seen.has(next)) {
      seen.add(next);
      path.push(typesOf(next));
    }
    if (path.length > MAX_CHAIN) {
      throw invalidDescriptor(
        `types are nested more than ${MAX_CHAIN} levels deep in ${shownName(root.typeName)}`,
      );
    }
  }
}

function* typesOf(message: DescMessage): Generator<DescMessage, undefined> {
  for (const field of message.fields) if (field.message !== undefined) yield field.message;
  return undefined;
}
