import type { ConfigKey } from '@levada/connect-runtime-core';
import { nonBlank, optional } from '@levada/connect-runtime-core/config';
import { metadataText, metadataValue } from '../request/call-metadata.ts';
import { tokenUrl } from '../request/token-url.ts';

/** Metadata of the call, and OAuth 2.0. */
export const authenticationKeys = [
  {
    name: 'grpc.metadata',
    type: 'password',
    default: null,
    importance: 'medium',
    documentation:
      'Metadata of the call: key:value,key:value. Values may hold colons; values with commas need grpc.metadata.<key>. The value of a key that ends in -bin is base64.',
    validator: metadataText,
    group: 'Metadata',
  },
  {
    name: 'grpc.metadata.',
    type: 'password',
    prefix: true,
    importance: 'medium',
    documentation:
      'One entry of metadata, named by the rest of the key. Wins over the same name in grpc.metadata.',
    validator: metadataValue,
    group: 'Metadata',
    option: 'metadata',
    optionDocumentation: 'Metadata of the call, by name. The value of a name that ends in -bin is base64.',
    perConnection: true,
    example: "{ 'x-api-key': 'key' }",
  },
  {
    name: 'grpc.oauth2.token.url',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Token endpoint for OAuth 2.0 client credentials (RFC 6749 section 4.4), https, or http on this machine. The token is sent as authorization and replaced before it expires.',
    validator: tokenUrl,
    group: 'OAuth 2.0',
    dependents: ['grpc.oauth2.client.id', 'grpc.oauth2.client.secret'],
    option: 'oauth2.tokenUrl',
    example: "'https://id.example/token'",
    accepts: ['url'],
  },
  {
    name: 'grpc.oauth2.client.id',
    type: 'string',
    default: null,
    importance: 'low',
    documentation: 'Client identifier for the token endpoint.',
    validator: optional(nonBlank),
    group: 'OAuth 2.0',
    option: 'oauth2.clientId',
    example: "'reader'",
  },
  {
    name: 'grpc.oauth2.client.secret',
    type: 'password',
    default: null,
    importance: 'low',
    documentation: 'Client secret for the token endpoint.',
    group: 'OAuth 2.0',
    option: 'oauth2.clientSecret',
    example: 'process.env.CLIENT_SECRET',
  },
  {
    name: 'grpc.oauth2.scope',
    type: 'string',
    default: null,
    importance: 'low',
    documentation: 'Scopes to ask for, separated by blanks.',
    group: 'OAuth 2.0',
    option: 'oauth2.scope',
    example: "'prices.read'",
  },
  {
    name: 'grpc.oauth2.audience',
    type: 'string',
    default: null,
    importance: 'low',
    documentation: 'Audience to ask for, where the token endpoint wants one.',
    group: 'OAuth 2.0',
    option: 'oauth2.audience',
    example: "'https://feed.example'",
  },
] as const satisfies readonly ConfigKey[];
