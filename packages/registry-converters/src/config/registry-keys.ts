import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, oneOf, optional, port, type Validator } from '@levada/connect-runtime-core/config';
import { converterTypeKey } from '@levada/connect-runtime-core/converter';
import { strategyNames } from './subject-names.ts';

const isWebUrl = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:');
};

/** Messages do not quote a URL, because it may contain user and password. */
const registryUrls: Validator = {
  allowed: 'http:// or https:// URLs',
  verbatim: true,
  check: (value) => {
    const urls = Array.isArray(value) ? (value as readonly string[]) : [];
    if (urls.length > 0 && urls.every(isWebUrl)) return undefined;
    return 'Invalid value [hidden] for configuration schema.registry.url: URLs that begin with http:// or https:// are expected, separated by commas';
  },
};

const strategy = (name: 'key' | 'value') =>
  ({
    name: `${name}.subject.name.strategy`,
    type: 'class',
    default: strategyNames.topic,
    importance: 'medium',
    documentation: `How the subject of the schema of ${name}s is named: after the topic (<topic>-${name}), after the record, or after both (<topic>-<record>).`,
    validator: oneOf(...Object.values(strategyNames)),
  }) as const satisfies ConfigKey;

/** Registry keys of all three converters, with the names of Confluent's clients. */
export const registryKeys = [
  converterTypeKey,
  {
    name: 'schema.registry.url',
    type: 'list',
    importance: 'high',
    documentation:
      'URLs of the schema registry, tried in order. Include the path of the interface, such as /apis/ccompat/v7 of Apicurio.',
    validator: registryUrls,
  },
  {
    name: 'auto.register.schemas',
    type: 'boolean',
    default: true,
    importance: 'medium',
    documentation: 'Whether a new schema is registered. Otherwise the subject must have it.',
  },
  {
    name: 'use.latest.version',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation: 'With auto.register.schemas=false: write records with the latest version of the subject.',
  },
  {
    name: 'use.schema.id',
    type: 'int',
    default: -1,
    importance: 'low',
    documentation: 'With auto.register.schemas=false: write records with the schema of this id. -1: none.',
  },
  {
    name: 'normalize.schemas',
    type: 'boolean',
    default: false,
    importance: 'medium',
    documentation: 'Whether the registry ignores irrelevant differences, such as the order of properties.',
  },
  {
    name: 'schemas.cache.config',
    type: 'int',
    default: 1000,
    importance: 'low',
    documentation:
      'Number of schemas to remember in addition to those in use, so that an equal schema is not registered again.',
    validator: atLeast(1),
  },
  strategy('key'),
  strategy('value'),
  {
    name: 'basic.auth.credentials.source',
    type: 'string',
    default: 'URL',
    importance: 'medium',
    documentation:
      'Where user and password come from: URL (user:password@ in schema.registry.url) or USER_INFO.',
    validator: oneOf('URL', 'USER_INFO'),
  },
  {
    name: 'basic.auth.user.info',
    type: 'password',
    default: '',
    importance: 'medium',
    documentation:
      'User and password with a colon between them, for basic.auth.credentials.source=USER_INFO.',
    aliases: ['schema.registry.basic.auth.user.info'],
  },
  {
    name: 'bearer.auth.credentials.source',
    type: 'string',
    default: 'STATIC_TOKEN',
    importance: 'medium',
    documentation: 'Where the token for bearer authentication comes from. Only STATIC_TOKEN is supported.',
    validator: oneOf('STATIC_TOKEN'),
  },
  {
    name: 'bearer.auth.token',
    type: 'password',
    default: '',
    importance: 'medium',
    documentation: 'Token for bearer authentication; instead of user and password.',
  },
  {
    name: 'request.header.',
    type: 'password',
    prefix: true,
    importance: 'low',
    documentation: 'Headers that are sent with every request to the registry.',
  },
  {
    name: 'http.connect.timeout.ms',
    type: 'int',
    default: 60_000,
    importance: 'low',
    documentation: 'Timeout of a connection to the registry, in milliseconds. Counts as part of the request.',
    validator: atLeast(1),
  },
  {
    name: 'http.read.timeout.ms',
    type: 'int',
    default: 60_000,
    importance: 'low',
    documentation: 'Timeout of an answer of the registry, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'max.retries',
    type: 'int',
    default: 3,
    importance: 'low',
    documentation:
      'Number of retries when no registry answers. After that errors.retry.timeout of the connector applies.',
    validator: atLeast(0),
  },
  {
    name: 'retries.wait.ms',
    type: 'int',
    default: 1000,
    importance: 'low',
    documentation: 'Delay before the first retry, in milliseconds; doubled each time.',
    validator: atLeast(0),
  },
  {
    name: 'retries.max.wait.ms',
    type: 'int',
    default: 20_000,
    importance: 'low',
    documentation: 'Maximum delay between retries, in milliseconds.',
    validator: atLeast(0),
  },
  {
    name: 'proxy.host',
    type: 'string',
    default: '',
    importance: 'low',
    documentation:
      'HTTP proxy (CONNECT) for the registry. Default: the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY), except for this machine.',
  },
  {
    name: 'proxy.port',
    type: 'int',
    default: null,
    importance: 'low',
    documentation: 'Port of proxy.host.',
    validator: optional(port),
  },
] as const satisfies readonly ConfigKey[];
