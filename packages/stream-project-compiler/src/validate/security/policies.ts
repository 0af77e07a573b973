import { type FieldPath, nearestName } from '@levada/stream-project-schema';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { listAt } from '../../parse/known-value.ts';
import { hasGateway } from '../../resolve/runtime-gateway.ts';
import { at, finding, named } from '../finding.ts';
import type { ModelRule } from '../rule.ts';
import { atMask, type MaskContext, type MaskRule, shownMaskColumn } from './masks.ts';
import { securityCodes } from './security-codes.ts';

/** Something enforces a mask: SQL, a connector or a gateway. */
export const maskEnforced: MaskRule = (context) => {
  const why = unenforced(context);
  if (why === undefined) return [];
  const { mask } = context;
  const message = `the mask of column ${quote(shownMaskColumn(context))} is not enforced: ${why.because}`;
  const key = mask.roles === undefined ? 'column' : 'for_roles';
  return [
    finding(securityCodes['policy-not-enforced'], atMask(context.model, mask, key), {
      message,
      hint: why.hint,
    }),
  ];
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
    return { because: 'a connector has no role', hint: 'remove "for_roles"' };
  }
  if (hasGateway(parsed) !== false || kind === undefined || kind === 'virtual_topic') return undefined;
  if (kind === 'topic' && model.sql === undefined) {
    return { because: 'the model has no SQL to apply it', hint: 'add "sql" to the model' };
  }
  if (mask.roles === undefined) return undefined;
  return {
    because: 'masks for roles need a gateway, and "runtime.vendor.gateway" is not defined',
    hint: 'remove "for_roles" to mask for all readers, or define the gateway',
  };
}

/** Every policy other than a mask is left to a gateway. */
export const policyEnforced: ModelRule = (context) => {
  if (hasGateway(context) !== false) return undefined;
  return ({ model: { definition } }) =>
    policiesOf(definition)
      .filter(({ key }) => key !== 'mask' && nearestName(key, ['mask']) === undefined)
      .map(({ key, path }) =>
        finding(securityCodes['policy-not-enforced'], at(definition, path, 'key'), {
          message: `the policy ${quote(key)} is not enforced: it needs a gateway, and "runtime.vendor.gateway" is not defined`,
          hint: 'define the gateway',
        }),
      );
};

/** No policy of a virtual topic is lost: masks are part of it, and nothing else is. Where there is no gateway, that was reported. */
export const virtualTopicPolicy: ModelRule = (context) => {
  if (hasGateway(context) === false) return undefined;
  return ({ model: { definition }, as }) => {
    if (as?.kind !== 'virtual_topic') return [];
    const others = policiesOf(definition).filter(({ key }) => key !== 'mask');
    return others.map(({ key, path }) =>
      finding(securityCodes['virtual-topic-policy'], at(definition, path, 'key'), {
        message: `${named(definition)} is a virtual topic, which does not support the policy ${quote(key)}`,
        hint: 'move the policy to the model that the virtual topic reads, or remove "advanced.gateway"',
      }),
    );
  };
};

interface Policy {
  /** What kind of policy it is: `mask`. */
  readonly key: string;
  /** Below the model. */
  readonly path: FieldPath;
}

/** The policies of a model, each with its kinds. */
export function policiesOf({ node }: Definition<'model'>): readonly Policy[] {
  const path = ['security', 'policies'];
  return (listAt(node, path)?.items ?? []).flatMap((policy, index) =>
    policy.kind === 'object'
      ? [...policy.entries.keys()].map((key) => ({ key, path: [...path, index, key] }))
      : [],
  );
}
