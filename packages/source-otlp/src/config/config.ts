import { configDef, type ParsedConfig } from '@levada/connect-runtime-core';
import { httpKeys } from './http-keys.ts';
import { limitKeys } from './limit-keys.ts';
import { outputKeys } from './output-keys.ts';
import { queueKeys } from './queue-keys.ts';
import { receiverKeys } from './receiver-keys.ts';
import { securityKeys } from './security-keys.ts';
import { topicKeys } from './topic-keys.ts';

/** The keys of an OTLP connector, in the order of documentation. All have defaults. */
export const otlpConfig = configDef([
  ...receiverKeys,
  ...topicKeys,
  ...outputKeys,
  ...queueKeys,
  ...limitKeys,
  ...securityKeys,
  ...httpKeys,
]);

type Rows = typeof otlpConfig.keys;

/** Parsed configuration of an OTLP connector. */
export type OtlpConfig = ParsedConfig<Rows>;
