import { issuesOfReading, validateTogether } from '@levada/connect-runtime-core/source-kit';
import { type OtlpConfig, otlpConfig } from './config.ts';
import { configuredUsers } from './configured-users.ts';
import { protocolsOf } from './protocol-settings.ts';
import { configProblems } from './rules.ts';
import { readTls, tlsFiles } from './tls-files.ts';

/** See `SourceConnector.validate`: rules over several keys, TLS files and the file of users. */
export const checkedValues = validateTogether({
  definition: otlpConfig,
  placeholders: {},
  rules: configProblems,
  readTls,
  // The list itself is checked already: what is wrong is the file.
  more: (config) => issuesOfReading('otlp.auth.users.path', () => configuredUsers(config)),
});
