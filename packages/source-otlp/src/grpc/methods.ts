import { type SignalName, signals } from '../signals.ts';

/** What can be called. */
export type Method = { readonly kind: 'export'; readonly signal: SignalName };

/** The methods of a receiver by path. */
export function methodsOf(offered: ReadonlySet<SignalName>): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  for (const signal of offered) methods.set(`/${signals[signal].service}/Export`, { kind: 'export', signal });
  return methods;
}
