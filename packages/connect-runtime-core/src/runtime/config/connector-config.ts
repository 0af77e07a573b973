import { configDef } from '../../config/config-def.ts';
import {
  allOf,
  atLeast,
  oneOf,
  oneOfIgnoringCase,
  optional,
  topicName,
  withMessage,
} from '../../config/validators.ts';
import { connectorName, notSupported, uniqueAliases } from './connector-validators.ts';

/**
 * The keys that every source connector has, in the order, groups and words of Kafka Connect 3.9. What Connect offers and
 * this runtime does not keeps its row: asking for transformations, predicates or an offsets topic per connector is an error;
 * what changes nothing for the records (retries of conversions, logged records, transaction boundaries) is accepted.
 */
export const sourceConnectorConfig = configDef([
  {
    name: 'name',
    type: 'string',
    importance: 'high',
    documentation: 'Name of the connector, unique among all connectors of the cluster.',
    validator: connectorName,
    group: 'Common',
    order: 1,
    width: 'medium',
    displayName: 'Connector name',
  },
  {
    name: 'connector.class',
    type: 'string',
    importance: 'high',
    documentation:
      "Class of the connector: its full name, its simple name, or its simple name without 'Connector' at the end.",
    group: 'Common',
    order: 2,
    width: 'long',
    displayName: 'Connector class',
  },
  {
    name: 'tasks.max',
    type: 'int',
    default: 1,
    importance: 'high',
    documentation: 'Most tasks that the connector may run.',
    validator: atLeast(1),
    group: 'Common',
    order: 3,
    width: 'short',
    displayName: 'Tasks max',
  },
  {
    name: 'tasks.max.enforce',
    type: 'boolean',
    default: true,
    importance: 'low',
    documentation:
      '(Deprecated) Whether a connector fails that makes more tasks than tasks.max allows. When false, they run.',
    group: 'Common',
    order: 4,
    width: 'short',
    displayName: 'Enforce tasks max',
  },
  {
    name: 'key.converter',
    type: 'class',
    default: null,
    importance: 'low',
    documentation:
      "Converter of record keys to the bytes that are stored. Default: the worker's, with the worker's settings.",
    group: 'Common',
    order: 5,
    width: 'short',
    displayName: 'Key converter class',
  },
  {
    name: 'value.converter',
    type: 'class',
    default: null,
    importance: 'low',
    documentation:
      "Converter of record values to the bytes that are stored. Default: the worker's, with the worker's settings.",
    group: 'Common',
    order: 6,
    width: 'short',
    displayName: 'Value converter class',
  },
  {
    name: 'header.converter',
    type: 'class',
    default: null,
    importance: 'low',
    documentation:
      "Converter of header values to the bytes that are stored. Default: the worker's, with the worker's settings.",
    group: 'Common',
    order: 7,
    width: 'short',
    displayName: 'Header converter class',
  },
  {
    name: 'transforms',
    type: 'list',
    default: [],
    importance: 'low',
    documentation: 'Aliases of transformations of records. Transformations are not supported.',
    validator: allOf(
      uniqueAliases('transformation'),
      notSupported('Transformations are not supported', isEmptyList),
    ),
    group: 'Transforms',
    order: 8,
    width: 'long',
    displayName: 'Transforms',
  },
  {
    name: 'predicates',
    type: 'list',
    default: [],
    importance: 'low',
    documentation: 'Aliases of predicates that transformations use. Predicates are not supported.',
    validator: allOf(uniqueAliases('predicate'), notSupported('Predicates are not supported', isEmptyList)),
    group: 'Predicates',
    order: 9,
    width: 'long',
    displayName: 'Predicates',
  },
  {
    name: 'config.action.reload',
    type: 'string',
    default: 'restart',
    importance: 'low',
    documentation:
      "What to do when a value from a configuration provider expires: 'none', or 'restart' the connector. Values of the file, directory and environment providers never expire.",
    validator: oneOf('none', 'restart'),
    group: 'Common',
    order: 10,
    width: 'medium',
    displayName: 'Reload Action',
  },
  {
    name: 'errors.retry.timeout',
    type: 'long',
    default: 0,
    importance: 'medium',
    documentation:
      'How long to try a failed conversion again, in milliseconds. Without effect: conversions do not heal with time.',
    group: 'Error Handling',
    order: 1,
    width: 'medium',
    displayName: 'Retry Timeout for Errors',
  },
  {
    name: 'errors.retry.delay.max.ms',
    type: 'long',
    default: 60_000,
    importance: 'medium',
    documentation:
      'Longest delay between two attempts, in milliseconds. Without effect, as nothing is tried again.',
    group: 'Error Handling',
    order: 2,
    width: 'medium',
    displayName: 'Maximum Delay Between Retries for Errors',
  },
  {
    name: 'errors.tolerance',
    type: 'string',
    default: 'none',
    importance: 'medium',
    documentation:
      "What happens to a record that cannot be converted or stored: with 'none' the task fails, with 'all' the record is dropped and counted.",
    validator: oneOf('none', 'all'),
    group: 'Error Handling',
    order: 3,
    width: 'short',
    displayName: 'Error Tolerance',
  },
  {
    name: 'errors.log.enable',
    type: 'boolean',
    default: false,
    importance: 'medium',
    documentation:
      'Whether to log tolerated errors. Without effect: they are always counted and logged, at a limited rate.',
    group: 'Error Handling',
    order: 4,
    width: 'short',
    displayName: 'Log Errors',
  },
  {
    name: 'errors.log.include.messages',
    type: 'boolean',
    default: false,
    importance: 'medium',
    documentation:
      'Whether to log the failed record too. Without effect: records are never written to the log.',
    group: 'Error Handling',
    order: 5,
    width: 'short',
    displayName: 'Log Error Details',
  },
  {
    name: 'topic.creation.groups',
    type: 'list',
    default: [],
    importance: 'low',
    documentation: 'Groups of settings for the topics that the connector creates, first match first.',
    validator: uniqueAliases('topic creation group'),
    group: 'Topic Creation',
    order: 1,
    width: 'long',
    displayName: 'Topic Creation Groups',
  },
  {
    name: 'exactly.once.support',
    type: 'string',
    default: 'requested',
    importance: 'medium',
    documentation:
      "'requested' or 'required'. Workers do not write transactions, so 'required' is refused; records are stored once all the same, because producers are idempotent.",
    validator: allOf(
      oneOfIgnoringCase('REQUIRED', 'REQUESTED'),
      withMessage(
        'This worker does not have exactly-once source support enabled.',
        oneOfIgnoringCase('REQUESTED'),
      ),
    ),
    group: 'Exactly Once Support',
    order: 2,
    width: 'short',
    displayName: 'Exactly once support',
  },
  {
    name: 'transaction.boundary',
    type: 'string',
    default: 'poll',
    importance: 'medium',
    documentation:
      "Where transactions would end: 'poll' or 'interval'. Without effect, as workers do not write transactions.",
    validator: allOf(
      oneOfIgnoringCase('INTERVAL', 'POLL', 'CONNECTOR'),
      withMessage(
        'The connector does not support connector-defined transaction boundaries with the given configuration. Please reconfigure it to use a different transaction boundary definition.',
        oneOfIgnoringCase('INTERVAL', 'POLL'),
      ),
    ),
    group: 'Exactly Once Support',
    order: 3,
    width: 'short',
    displayName: 'Transaction Boundary',
  },
  {
    name: 'transaction.boundary.interval.ms',
    type: 'long',
    default: null,
    importance: 'low',
    documentation:
      "Time between transactions with transaction.boundary 'interval', in milliseconds. Without effect, as workers do not write transactions.",
    validator: optional(atLeast(0)),
    group: 'Exactly Once Support',
    order: 4,
    width: 'short',
    displayName: 'Transaction boundary interval',
  },
  {
    name: 'offsets.storage.topic',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      "An offsets topic of the connector's own, which is created when it is missing. Offsets are read from the worker's topic as long as they are not in it, and copied to the worker's. Default: the worker's.",
    validator: topicName,
    group: 'offsets.topic',
    order: 1,
    width: 'long',
    displayName: 'Offsets topic',
  },
]);

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
