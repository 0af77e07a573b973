import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import type { ConfigProvider, ConfigProviderPlugin } from '../config-provider.ts';
import {
  admittedPath,
  type FileAccess,
  fileAccess,
  fileAccessWarnings,
  readAdmittedFile,
} from './file-access.ts';

/**
 * `${directory:/run/secrets:password}`: files of a directory, the name as the key and the whole content, in UTF-8, as the
 * value, as Kubernetes and Docker mount secrets. Parameters: `allowed.paths` and, beyond Kafka's, `denied.paths`; see
 * {@link fileAccess}. Symbolic links may not lead outside.
 */
export const directoryConfigProvider: ConfigProviderPlugin = {
  className: 'org.apache.kafka.common.config.provider.DirectoryConfigProvider',
  aliases: ['directory'],
  warnings: fileAccessWarnings,
  create: (params) => directoryProvider(fileAccess(params)),
};

function directoryProvider(access: FileAccess): ConfigProvider {
  return {
    get: async (path, keys) => {
      const values = new Map<string, string>();
      try {
        await requireDirectory(await admittedPath(path, access), path);
        for (const key of keys.filter(isFileName)) {
          const file = join(path, key);
          if (await exists(file)) values.set(key, (await readAdmittedFile(file, access)).toString('utf8'));
        }
      } catch (thrown) {
        const { message } = ConnectorError.from(thrown);
        const text = `Could not read directory ${path} for ${keys.join(', ')}: ${message}`;
        throw new ConnectorError('file_unreadable', text, { cause: thrown });
      }
      return values;
    },
  };
}

async function requireDirectory(real: string, path: string): Promise<void> {
  if (!(await stat(real)).isDirectory()) {
    throw new ConnectorError('file_unreadable', `${path} is not a directory`);
  }
}

/** A key names a file of the directory itself, never a path out of it. */
function isFileName(key: string): boolean {
  return key !== '' && key !== '.' && key !== '..' && !/[/\\\0]/.test(key);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    // A key without a file has no value; that is no failure.
    return false;
  }
}
