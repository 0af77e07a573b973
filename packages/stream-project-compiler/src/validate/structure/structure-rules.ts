import type { Rule } from '../rule.ts';
import { clusterNotChosen } from './cluster-not-chosen.ts';
import { clusterNotManaged } from './cluster-not-managed.ts';
import { connectRequired } from './connect-required.ts';
import { deprecatedReference } from './deprecated-reference.ts';
import { deprecationLabelRules } from './deprecation-labels.ts';
import { gatewaySql } from './gateway-sql.ts';
import { incompleteCredentials } from './incomplete-credentials.ts';
import { jobCollision } from './job-collision.ts';
import { nameCase } from './name-case.ts';
import { nearAlert, nearPolicy } from './near-word.ts';
import { noEffect } from './no-effect.ts';
import { reservedConfig } from './reserved-config.ts';
import { similarTopic } from './similar-topic.ts';
import { sinkMapping } from './sink-mapping.ts';
import { sinkRead } from './sink-read.ts';
import { sourceTopic } from './source-topic.ts';
import { stateTtl } from './state-ttl.ts';
import { tasksMax } from './tasks-max.ts';
import { topicCollision } from './topic-collision.ts';
import { topicName } from './topic-name.ts';
import { unknownCluster, unknownModelCluster } from './unknown-cluster.ts';
import { unusedFrom } from './unused-from.ts';
import { virtualTopicInput } from './virtual-topic-input.ts';

/** Rules of this folder, in the order in which they run: what definitions say of each other and of the systems they run on. Those about single models follow. */
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
  nearAlert,
  deprecatedReference,
];

/** Rules of this folder that look at one model at a time. */
export const structureModelRules: readonly Rule[] = [
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
  nearPolicy,
  ...deprecationLabelRules,
];
