import { checkModels } from './declarations/models.ts';
import { checkSources } from './declarations/sources.ts';
import { checkExposures } from './exposures/check-exposures.ts';
import {
  maxDependencies,
  requireSourceParts,
  requireTests,
  requireTexts,
} from './governance/required-parts.ts';
import { forbiddenPrefix, namingPattern, validPattern } from './governance/topic-names.ts';
import { partitionBounds, requiredConfig, topicNumbers } from './governance/topic-settings.ts';
import { forEachModel, type ModelRule, type Rule } from './rule.ts';
import {
  declaredLevels,
  requireModelClassification,
  requireSourceClassification,
} from './security/classifications.ts';
import { deadLettersUnmasked } from './security/dead-letters.ts';
import { forEachFlowModel, withFlow } from './security/flow-rule.ts';
import {
  forEachMask,
  maskConnector,
  maskKey,
  maskSecret,
  maskTokenize,
  maskTwice,
  maskType,
} from './security/masks.ts';
import { maskEnforced, policyEnforced, virtualTopicPolicy } from './security/policies.ts';
import { requiresMasking } from './security/requires-masking.ts';
import { sensitiveUnmasked } from './security/sensitive-columns.ts';
import {
  clusterNotChosen,
  clusterNotManaged,
  connectRequired,
  unknownCluster,
  unknownModelCluster,
} from './structure/clusters.ts';
import { deprecatedReference, sunsetPassed, unknownVersion } from './structure/deprecation.ts';
import { jobCollision, misspeltAlert, misspeltPolicy, nameCase } from './structure/names.ts';
import { incompleteCredentials, noEffect, stateTtl, unusedFrom } from './structure/settings.ts';
import { sinkErrors, sinkKeys, sinkRecords } from './structure/sink-records.ts';
import { reservedConfig, sinkMapping, sinkRead, tasksMax } from './structure/sinks.ts';
import { sourceTopic } from './structure/source-topic.ts';
import { similarTopic, topicCollision, topicName } from './structure/topics.ts';
import { gatewaySql, maskedCondition, virtualTopicInput } from './structure/virtual-topics.ts';
import { checkAssertions } from './tests/check-assertions.ts';
import { checkSuites } from './tests/suites.ts';

/** Rules about one model at a time. */
export const modelRules: readonly ModelRule[] = [
  unknownModelCluster,
  clusterNotManaged,
  connectRequired,
  topicName,
  reservedConfig,
  tasksMax,
  gatewaySql,
  virtualTopicInput,
  unusedFrom,
  stateTtl,
  noEffect,
  misspeltPolicy,
  sunsetPassed,
  unknownVersion,
  policyEnforced,
  virtualTopicPolicy,
  ...topicNumbers,
  requiredConfig,
  namingPattern,
  forbiddenPrefix,
  ...requireTexts,
  maxDependencies,
];

/** Every rule. What they report is sorted by place afterwards. */
export const rules: readonly Rule[] = [
  unknownCluster,
  clusterNotChosen,
  topicCollision,
  similarTopic,
  sourceTopic,
  nameCase,
  jobCollision,
  sinkRead,
  sinkMapping,
  sinkRecords,
  sinkKeys,
  sinkErrors,
  maskedCondition,
  incompleteCredentials,
  misspeltAlert,
  deprecatedReference,
  checkAssertions,
  checkSuites,
  checkExposures,
  checkSources,
  checkModels,
  withFlow([
    sensitiveUnmasked,
    deadLettersUnmasked,
    requireSourceClassification,
    forEachFlowModel([requiresMasking, requireModelClassification, declaredLevels]),
  ]),
  forEachMask([maskEnforced, maskType, maskTwice, maskTokenize, maskKey, maskConnector, maskSecret]),
  partitionBounds,
  validPattern,
  requireTests,
  ...requireSourceParts,
  forEachModel(modelRules),
];
