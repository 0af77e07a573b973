import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isTold } from '../../parse/is-told.ts';
import { placeOf } from '../../parse/node-place.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** A key below `runtime` that says little without another one. */
interface Pair {
  readonly has: string;
  readonly needs: string;
  /** Only values that match ask for the other key. */
  readonly when?: RegExp;
}

/** The user of the gateway has a default, passwords have none. */
const pairs: readonly Pair[] = [
  { has: 'platform.sasl_username', needs: 'platform.sasl_password' },
  { has: 'platform.sasl_password', needs: 'platform.sasl_username' },
  { has: 'platform.security_protocol', needs: 'platform.sasl_mechanism', when: /^SASL_/ },
  { has: 'schema_registry.username', needs: 'schema_registry.password' },
  { has: 'schema_registry.password', needs: 'schema_registry.username' },
  { has: 'vendor.gateway.username', needs: 'vendor.gateway.password' },
];

/** Credentials in `runtime` are complete. */
export const incompleteCredentials: Rule = ({ project }) => {
  const { runtime } = project.resolved.parsed;
  if (runtime === undefined) return [];
  return pairs.flatMap(({ has, needs, when }) => {
    const { node, keySpan, span } = placeOf(runtime.node, has);
    if (node?.known !== true || placeOf(runtime.node, needs).node !== undefined) return [];
    if (!isTold(runtime.node, needs)) return [];
    if (when?.test(String(node.value)) === false) return [];
    return [
      diagnose(structureCodes['incomplete-credentials'], {
        message: `${quote(`runtime.${has}`)} needs ${quote(`runtime.${needs}`)}, which is missing`,
        path: `runtime.${has}`,
        object: 'runtime',
        range: rangeAt(runtime.file, keySpan ?? span),
      }),
    ];
  });
};
