import type { RawConfig } from '@levada/connect-runtime-core';

/** A worker to try things out with: an embedded log, and REST for this machine only, whatever else is configured. */
export function devConfig({
  folder = '.levada',
  port = 8083,
}: {
  readonly folder?: string;
  readonly port?: number;
} = {}): RawConfig {
  return {
    'bootstrap.servers': '',
    listeners: `http://127.0.0.1:${port}`,
    'admin.listeners': null,
    'jolokia.listeners': '',
    'embedded.storage.folder': folder,
  };
}
