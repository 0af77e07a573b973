import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, oneOf, oneOfIgnoringCase, optional, topicName } from '@levada/connect-runtime-core/config';
import { accessKeys } from './access-config.ts';
import { groupKeys } from './group-keys.ts';
import { advertisedHost } from './listener-address.ts';
import { telemetryKeys } from './telemetry-keys.ts';

const topic = (purpose: 'config' | 'offset' | 'status', what: string) =>
  [
    {
      name: `${purpose}.storage.topic`,
      type: 'string',
      default: null,
      importance: 'high',
      documentation: `Topic that holds ${what}. Required with bootstrap.servers.`,
      validator: optional(topicName),
    },
    {
      name: `${purpose}.storage.replication.factor`,
      type: 'short',
      default: 3,
      importance: 'low',
      documentation: `Replication factor of that topic when it is created; -1 for the cluster's default.`,
      validator: atLeast(-1),
    },
  ] as const;

const partitions = <const N extends string>(name: N, count: number) =>
  ({
    name,
    type: 'int',
    default: count,
    importance: 'low',
    documentation: 'Partitions of that topic when it is created.',
    validator: atLeast(1),
  }) as const;

const converter = <const N extends string>(name: N, what: string, fallback: string | null) =>
  [
    {
      name,
      type: 'class',
      default: fallback,
      importance: name === 'header.converter' ? 'low' : 'high',
      documentation: `Class that converts ${what} to bytes. Connectors may choose another one.`,
    },
    {
      name: `${name}.`,
      type: 'string',
      prefix: true,
      importance: 'low',
      documentation: `Keys of the ${name} class.`,
    },
  ] as const;

const restKeys = [
  {
    name: 'listeners',
    type: 'list',
    default: 'http://:8083',
    importance: 'low',
    documentation:
      'Addresses of the REST interface: `http://host:port` or `https://host:port`, no host for every address of the machine.',
  },
  {
    name: 'listeners.https.',
    type: 'string',
    prefix: true,
    importance: 'low',
    documentation:
      'TLS of `https` listeners and of requests to other workers: see [Security](#security). Without any such key, those without prefix (`ssl.keystore.location` ...) count, which the Kafka clients share.',
  },
  {
    name: 'admin.listeners',
    type: 'list',
    default: null,
    importance: 'low',
    documentation: 'Addresses of the admin endpoints. Absent: the same as listeners. Empty: none.',
  },
  {
    name: 'admin.listeners.https.',
    type: 'string',
    prefix: true,
    importance: 'low',
    documentation: 'TLS of `https` addresses among admin.listeners, in the same way.',
  },
  {
    name: 'rest.advertised.host.name',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Host under which other workers and people reach this one. Default: the first listener, or the host name.',
    validator: optional(advertisedHost),
  },
  {
    name: 'rest.advertised.port',
    type: 'int',
    default: null,
    importance: 'low',
    documentation:
      'Port under which other workers and people reach this one. Default: the port of the first listener.',
    validator: optional(atLeast(1)),
  },
  {
    name: 'rest.advertised.listener',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Which of the listeners other workers and people reach: the first `http` or the first `https` one. Default: the first.',
    validator: optional(oneOfIgnoringCase('http', 'https')),
  },
  {
    name: 'rest.allowed.hosts',
    type: 'list',
    default: [],
    importance: 'low',
    documentation:
      'Host names beside local ones and the advertised one that requests may name; `*` for any. Protects from DNS rebinding.',
  },
  {
    name: 'rest.compat.strict',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation: "Answer bodies that cannot be read with Kafka Connect's 500 instead of 400.",
  },
  {
    name: 'rest.dialect',
    type: 'string',
    default: '3.9',
    importance: 'low',
    documentation:
      'Fields of answers: those of Kafka Connect 3.9, or those of 4.x (`version` in a status, `order_in_group` in the description of a key). Strict clients of 3.9 refuse the latter.',
    validator: oneOf('3.9', '4.x'),
  },
  {
    name: 'rest.status.connection',
    type: 'string',
    default: 'expand',
    importance: 'low',
    documentation: 'When a status carries `connection`: on `expand=connection`, or always.',
    validator: oneOf('expand', 'always'),
  },
  {
    name: 'access.control.allow.origin',
    type: 'list',
    default: [],
    importance: 'low',
    documentation: 'Origins whose web pages may call the REST interface; `*` for any. Default: none.',
  },
  {
    name: 'access.control.allow.methods',
    type: 'list',
    default: [],
    importance: 'low',
    documentation: 'Methods that such pages may use. Default: GET, POST and HEAD.',
  },
  {
    name: 'response.http.headers.config',
    type: 'string',
    default: '',
    importance: 'low',
    documentation: 'Headers of every answer: comma-separated `set|add|setDate|addDate Name: value`.',
  },
] as const satisfies readonly ConfigKey[];

const runtimeKeys = [
  {
    name: 'offset.flush.interval.ms',
    type: 'long',
    default: 60000,
    importance: 'low',
    documentation: 'Time between two commits of offsets, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'offset.flush.timeout.ms',
    type: 'long',
    default: 5000,
    importance: 'low',
    documentation: 'Longest that a commit of offsets may take, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'task.shutdown.graceful.timeout.ms',
    type: 'long',
    default: 5000,
    importance: 'low',
    documentation: 'Longest that stopping the worker may take in all, in milliseconds.',
    validator: atLeast(0),
  },
  {
    name: 'topic.tracking.enable',
    type: 'boolean',
    default: true,
    importance: 'low',
    documentation: 'Whether to record which topics each connector writes to.',
  },
  {
    name: 'topic.tracking.allow.reset',
    type: 'boolean',
    default: true,
    importance: 'low',
    documentation: 'Whether the record of topics may be reset.',
  },
  {
    name: 'topic.creation.enable',
    type: 'boolean',
    default: true,
    importance: 'low',
    documentation: 'Whether connectors may have topics created by their `topic.creation.*` keys.',
  },
  {
    name: 'connector.client.config.override.policy',
    type: 'string',
    default: 'Allowlist',
    importance: 'medium',
    documentation:
      "What connectors may override of the worker's producer: None, Principal, Allowlist or All.",
  },
  {
    name: 'exactly.once.source.support',
    type: 'string',
    default: 'disabled',
    importance: 'high',
    documentation:
      'Whether connectors that can resume store records and offsets in transactions: disabled, preparing or enabled. To change it in a running group, restart each worker with preparing first, then each with enabled. Needs bootstrap.servers.',
    validator: oneOfIgnoringCase('DISABLED', 'PREPARING', 'ENABLED'),
  },
  {
    name: 'task.isolation',
    type: 'string',
    default: 'none',
    importance: 'low',
    documentation:
      "Where tasks run whose connector does not say it with the same key: 'none' in the thread of the worker, 'thread' each in a thread of its own. Needs bootstrap.servers. See [Tasks in threads](#tasks-in-threads).",
    validator: oneOf('none', 'thread'),
  },
  {
    name: 'task.thread.heap.mb',
    type: 'int',
    default: 256,
    importance: 'low',
    documentation:
      'Most JavaScript objects that the thread of one task may keep, in MiB, queued bytes not counted; with more its task fails.',
    validator: atLeast(32),
  },
  {
    name: 'plugin.path',
    type: 'list',
    default: [],
    importance: 'low',
    documentation:
      'Folders of npm packages with plugins: a package, a folder of packages, or a node_modules folder.',
  },
  {
    name: 'config.providers',
    type: 'list',
    default: [],
    importance: 'low',
    documentation: 'Names of the config providers, as references use them.',
  },
  {
    name: 'config.providers.',
    type: 'string',
    prefix: true,
    importance: 'low',
    documentation:
      'Class and parameters of each provider: `config.providers.<name>.class`, `config.providers.<name>.param.<key>`.',
  },
] as const satisfies readonly ConfigKey[];

/** The keys of a worker configuration, as a table. Keys of the Kafka clients are the Kafka platform's. */
export const workerKeys = [
  {
    name: 'bootstrap.servers',
    type: 'list',
    default: null,
    importance: 'high',
    documentation: 'Kafka brokers, `host:port` each. Absent: records are stored in a folder of this machine.',
  },
  {
    name: 'embedded.storage.folder',
    type: 'string',
    default: '.levada',
    importance: 'high',
    documentation:
      'Folder of the embedded log, when bootstrap.servers is absent. Made when it is missing, for the user of the worker alone.',
  },
  {
    name: 'group.id',
    type: 'string',
    default: null,
    importance: 'high',
    documentation: 'Name of the group of workers. Required with bootstrap.servers.',
  },
  ...groupKeys,
  ...topic('config', 'connector configurations'),
  ...topic('offset', 'source offsets'),
  partitions('offset.storage.partitions', 25),
  ...topic('status', 'statuses'),
  partitions('status.storage.partitions', 5),
  ...converter('key.converter', 'record keys', null),
  ...converter('value.converter', 'record values', null),
  ...converter(
    'header.converter',
    'record headers',
    'org.apache.kafka.connect.storage.SimpleHeaderConverter',
  ),
  ...restKeys,
  ...accessKeys,
  ...runtimeKeys,
  ...telemetryKeys,
] as const satisfies readonly ConfigKey[];
