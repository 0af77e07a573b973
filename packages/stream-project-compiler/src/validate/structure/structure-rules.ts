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
import { nearWord } from './near-word.ts';
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
import { unknownCluster } from './unknown-cluster.ts';
import { unusedFrom } from './unused-from.ts';
import { virtualTopicInput } from './virtual-topic-input.ts';

/** Rules of this folder, in the order in which they run: what definitions say of each other and of the systems they run on. */
export const structureRules: readonly Rule[] = [
  unknownCluster,
  clusterNotManaged,
  connectRequired,
  clusterNotChosen,
  topicCollision,
  similarTopic,
  sourceTopic,
  topicName,
  nameCase,
  jobCollision,
  sinkRead,
  reservedConfig,
  tasksMax,
  sinkMapping,
  gatewaySql,
  virtualTopicInput,
  unusedFrom,
  stateTtl,
  noEffect,
  incompleteCredentials,
  nearWord,
  deprecatedReference,
  ...deprecationLabelRules,
];
