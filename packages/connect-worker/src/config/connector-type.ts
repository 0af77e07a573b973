import type { RawConfig } from '@levada/connect-runtime-core';
import { HerderError } from '../port/herder-error.ts';
import { textOf } from '../port/raw-config.ts';
import { maskText } from './secret-mask.ts';

/** The `connector.class` of a configuration. Throws Kafka Connect's refusal when there is none. */
export function connectorClassOf(raw: RawConfig): string {
  const className = textOf(raw, 'connector.class')?.trim();
  if (className !== undefined) return className;
  // Without a class it is unknown which of the values are secrets.
  const shown = Object.entries(raw).map(
    ([name, text]) => `${name}=${name === 'name' || text === null ? text : maskText}`,
  );
  throw new HerderError('no_class', `Connector config {${shown.join(', ')}} contains no connector type`);
}

/**
 * Refuses to validate a configuration under another plugin's path. The path may leave out the package and the
 * `Connector` at the end, as in Kafka Connect.
 */
export function checkPathMatches(plugin: string, className: string): void {
  if (withoutConnector(className).endsWith(withoutConnector(plugin))) return;
  throw new HerderError(
    'bad_request',
    `Included connector type ${className} does not match request type ${plugin}`,
  );
}

function withoutConnector(name: string): string {
  return name.endsWith('Connector') ? name.slice(0, -'Connector'.length) : name;
}
