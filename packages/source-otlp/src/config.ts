import { type ConfigOptions, configDef, type ParsedConfig } from '@levada/connect-runtime-core';
import { httpKeys } from './config/http-keys.ts';
import { limitKeys } from './config/limit-keys.ts';
import { outputKeys } from './config/output-keys.ts';
import { queueKeys } from './config/queue-keys.ts';
import { receiverKeys } from './config/receiver-keys.ts';
import { securityKeys } from './config/security-keys.ts';
import { topicKeys } from './config/topic-keys.ts';

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

/** Options of {@link otlpSource}: the keys in camel case, with the same defaults. Ports may be 0: the operating system chooses. */
export type OtlpOptions = ConfigOptions<Rows>;
