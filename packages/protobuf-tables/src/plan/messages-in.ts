import type { DescMessage } from '@bufbuild/protobuf';

/** The messages and all they refer to, each once. */
export function messagesIn(roots: readonly DescMessage[]): ReadonlySet<DescMessage> {
  const found = new Set(roots);
  // iteration over a set includes elements that are added meanwhile
  for (const message of found) {
    for (const field of message.fields) if (field.message !== undefined) found.add(field.message);
  }
  return found;
}
