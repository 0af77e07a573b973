import { nearestName } from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';

/** Longer lists are no help. */
const MAX_LISTED = 8;

/** Options of {@link nameHint}. */
export interface NameHintOptions {
  /** Whether these are all names that there are, so that a list of them helps. Default: true. */
  readonly mayList?: boolean;
  /** What a list begins with. Default: `available:`. */
  readonly says?: string;
}

/** A hint for an unknown name: the nearest valid one, else all of them when they are few. */
export function nameHint(
  written: string,
  names: readonly string[],
  { mayList = true, says = 'available:' }: NameHintOptions = {},
): string | undefined {
  const near = nearestName(written, names);
  if (near !== undefined) return `did you mean ${quote(near)}?`;
  if (!mayList || names.length === 0 || names.length > MAX_LISTED) return undefined;
  return `${says} ${names.map(quote).join(', ')}`;
}

/** A search looks at all names; after this many no more hints are given. */
const MAX_SEARCHES = 200;

/** Hints for many unknown names, each computed once. */
export function nameHints(
  names: readonly string[],
  options: NameHintOptions = {},
): (written: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (written) => {
    if (!known.has(written) && known.size < MAX_SEARCHES) {
      known.set(written, nameHint(written, names, options));
    }
    return known.get(written);
  };
}
