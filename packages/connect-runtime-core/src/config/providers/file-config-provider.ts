import { ConnectorError } from '../../diagnostics/connector-error.ts';
import type { ConfigProviderPlugin } from '../config-provider.ts';
import { parseProperties } from '../properties-file.ts';
import { fileAccess, fileAccessWarnings, readAdmittedFile } from './file-access.ts';

/**
 * `${file:/path/to/secrets.properties:key}`: keys of a file in Java's properties format, in UTF-8. Parameters:
 * `allowed.paths` and, beyond Kafka's, `denied.paths`; see {@link fileAccess}. Symbolic links may not lead outside.
 */
export const fileConfigProvider: ConfigProviderPlugin = {
  className: 'org.apache.kafka.common.config.provider.FileConfigProvider',
  aliases: ['file'],
  warnings: fileAccessWarnings,
  create: (params) => {
    const access = fileAccess(params);
    return {
      get: async (path, keys) => {
        try {
          const entries = parseProperties((await readAdmittedFile(path, access)).toString('utf8'));
          return new Map(keys.flatMap((key) => pairOf(key, entries.get(key))));
        } catch (thrown) {
          throw unreadable(path, keys, thrown);
        }
      },
    };
  },
};

function pairOf(key: string, value: string | undefined): readonly [string, string][] {
  return value === undefined ? [] : [[key, value]];
}

function unreadable(path: string, keys: readonly string[], thrown: unknown): ConnectorError {
  const { message } = ConnectorError.from(thrown);
  return new ConnectorError(
    'file_unreadable',
    `Could not read properties from file ${path} for ${keys.join(', ')}: ${message}`,
    { cause: thrown },
  );
}
