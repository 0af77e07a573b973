import { nearestName } from '@levada/stream-project-schema';

/** More names than these are not listed. */
const MAX_LISTED = 5;
/** A search looks at all names; after this many no more hints are given. */
const MAX_SEARCHES = 200;

/** Hints for names that are not among these: the nearest one, else all of them when they are few. `what` stands before a list. */
export function nearNames(what: string, names: readonly string[]): (written: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const listed =
    names.length === 0 || names.length > MAX_LISTED
      ? undefined
      : `${what} ${names.map((name) => `"${name}"`).join(', ')}`;
  return (written) => {
    if (known.has(written)) return known.get(written);
    if (known.size >= MAX_SEARCHES) return undefined;
    const near = nearestName(written, names);
    const hint = near === undefined ? listed : `did you mean "${near}"?`;
    known.set(written, hint);
    return hint;
  };
}
