import type { ConfigKey } from '@levada/connect-runtime-core';
import { allOf, nonBlank, port, topicName, withMessage } from '@levada/connect-runtime-core/config';
import { hostName } from '@levada/connect-runtime-core/source-kit';

/** Where the server is, what is called, where records go. */
export const endpointKeys = [
  {
    name: 'grpc.server.host',
    type: 'string',
    importance: 'high',
    documentation: 'Host name or IP address of the server.',
    validator: allOf(nonBlank, hostName),
    group: 'Connection',
    option: 'host',
    example: "'feed.example'",
  },
  {
    name: 'grpc.server.port',
    type: 'int',
    importance: 'high',
    documentation: 'Port of the server.',
    validator: withMessage('Invalid port number', port),
    group: 'Connection',
    option: 'port',
    example: '443',
  },
  {
    name: 'grpc.service.name',
    type: 'string',
    importance: 'high',
    documentation: 'Fully qualified name of the service, as in the .proto. Case sensitive.',
    validator: nonBlank,
    group: 'Method',
    option: 'service',
    example: "'prices.v1.Feed'",
  },
  {
    name: 'grpc.method.name',
    type: 'string',
    importance: 'high',
    documentation: 'Name of the method, which must be server streaming. Case sensitive.',
    optionDocumentation:
      'Name of the method, which must be server streaming. Case sensitive. A method of generated code, PriceService.method.watch, also gives service, descriptor and types: then request and records are typed.',
    validator: nonBlank,
    group: 'Method',
    option: 'method',
    example: "'Subscribe'",
  },
  {
    name: 'platform.topic',
    type: 'string',
    importance: 'high',
    documentation:
      'Topic that records go to. A change holds for messages received after it, without a new connection.',
    validator: topicName,
    update: 'live',
    aliases: ['kafka.topic'],
    group: 'Output',
    option: 'topic',
    optionDocumentation: 'Topic that each record names: a pipe to a log writes them to it.',
    example: "'prices'",
  },
] as const satisfies readonly ConfigKey[];
