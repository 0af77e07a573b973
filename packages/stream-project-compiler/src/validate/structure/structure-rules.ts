import type { ModelRule, Rule } from '../rule.ts';
import {
  clusterNotChosen,
  clusterNotManaged,
  connectRequired,
  unknownCluster,
  unknownModelCluster,
} from './clusters.ts';
import { deprecatedReference, sunsetPassed, unknownVersion } from './deprecation.ts';
import { jobCollision, misspeltAlert, misspeltPolicy, nameCase } from './names.ts';
import { incompleteCredentials, noEffect, stateTtl, unusedFrom } from './settings.ts';
import { reservedConfig, sinkMapping, sinkRead, tasksMax } from './sinks.ts';
import { sourceTopic } from './source-topic.ts';
import { similarTopic, topicCollision, topicName } from './topics.ts';
import { gatewaySql, virtualTopicInput } from './virtual-topics.ts';

/** Rules about what definitions say of each other and of the systems they run on. Those about single models follow. */
export const structureRules: readonly Rule[] = [
  unknownCluster,
  clusterNotChosen,
  topicCollision,
  similarTopic,
  sourceTopic,
  nameCase,
  jobCollision,
  sinkRead,
  sinkMapping,
  incompleteCredentials,
  misspeltAlert,
  deprecatedReference,
];

/** Rules of this folder about one model at a time. */
export const structureModelRules: readonly ModelRule[] = [
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
];
