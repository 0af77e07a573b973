import { nearestName } from '@levada/stream-project-schema';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { hasGateway } from '../../resolve/runtime-gateway.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { type MaskContext, type MaskRule, maskFinding, shownMaskColumn } from './mask-context.ts';
import { securityCodes } from './security-codes.ts';

/** Something enforces a mask: SQL, a connector or a gateway. */
export const maskEnforced: MaskRule = (context) => {
  const why = unenforced(context);
  if (why === undefined) return [];
  const { mask } = context;
  const message = `the mask of column ${quote(shownMaskColumn(context))} is not enforced: ${why.because}`;
  const key = mask.roles === undefined ? 'column' : 'for_roles';
  return [maskFinding(securityCodes['policy-not-enforced'], context, { key, message, hint: why.hint })];
};

interface Unenforced {
  readonly because: string;
  readonly hint: string;
}

/** A virtual topic without a gateway was reported. */
function unenforced(context: MaskContext): Unenforced | undefined {
  const { kind, mask, model } = context;
  const { parsed } = context.project.resolved;
  if (kind === 'sink' && mask.roles !== undefined) {
    return { because: 'a connector reads in no role', hint: 'remove "for_roles"' };
  }
  if (hasGateway(parsed) !== false || kind === undefined || kind === 'virtual_topic') return undefined;
  if (kind === 'topic' && model.sql === undefined) {
    return { because: 'the model has no SQL that could mask', hint: 'add "sql" to the model' };
  }
  if (mask.roles === undefined) return undefined;
  return {
    because: 'readers are told apart by a gateway, and "runtime.vendor.gateway" is missing',
    hint: 'remove "for_roles" to mask for everybody, or describe the gateway',
  };
}

/** Every policy other than a mask is left to a gateway. */
export const policyEnforced: Rule = ({ project: { resolved } }) => {
  if (hasGateway(resolved.parsed) !== false) return [];
  return [...resolved.models.values()].flatMap(({ definition }) =>
    policiesOf(definition)
      .filter(({ key }) => key !== 'mask' && nearestName(key, ['mask']) === undefined)
      .map(({ key, place }) =>
        diagnose(securityCodes['policy-not-enforced'], {
          message: `the policy ${quote(key)} is not enforced: it needs a gateway, and "runtime.vendor.gateway" is missing`,
          ...place,
          hint: 'describe the gateway',
        }),
      ),
  );
};

/** No policy of a virtual topic is lost. Where there is no gateway, that was reported. */
export const virtualTopicPolicy: Rule = ({ project: { resolved, materialized } }) => {
  if (hasGateway(resolved.parsed) === false) return [];
  return [...resolved.models.values()].flatMap(({ definition, name }) => {
    if (materialized.get(name)?.kind !== 'virtual_topic') return [];
    return policiesOf(definition).map(({ key, place }) =>
      diagnose(securityCodes['virtual-topic-policy'], {
        message: `model ${quote(name)} is a virtual topic, and a compiled virtual topic does not carry the policy ${quote(key)}`,
        ...place,
        hint: 'move the policy to the model that the virtual topic reads, or remove "advanced.gateway"',
      }),
    );
  });
};

interface PlacedPolicy {
  /** What kind of policy it is: `mask`. */
  readonly key: string;
  readonly place: Pick<Diagnostic, 'range' | 'path' | 'object'>;
}

function policiesOf({ file, node, object, path }: ResolvedModel['definition']): readonly PlacedPolicy[] {
  const policies = placeOf(node, 'security.policies').node;
  if (policies?.kind !== 'list') return [];
  return policies.items.flatMap((policy, index) =>
    policy.kind === 'object'
      ? [...policy.entries.values()].map(({ key, keySpan }) => ({
          key,
          place: {
            range: rangeAt(file, keySpan),
            path: `${path}.security.policies[${index}].${key}`,
            object,
          },
        }))
      : [],
  );
}
