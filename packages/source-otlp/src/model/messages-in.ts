import type { DescMessage } from '@bufbuild/protobuf';

/** The messages, and all that they refer to, each once. */
export function messagesIn(roots: readonly DescMessage[]): ReadonlySet<DescMessage> {
  const found = new Set(roots);
  // a set gives what is added while it is walked through, too
  for (const message of found) {
    for (const field of message.fields) if (field.message !== undefined) found.add(field.message);
  }
  return found;
}
