import apiKeys from 'kafkajs/src/protocol/requests/apiKeys.js';
import requestTable from 'kafkajs/src/protocol/requests/index.js';

/** A request as kafkajs defines it, of one version: how it is written, and how its response is read. */
export interface Protocol {
  readonly request: unknown;
  readonly response: {
    readonly decode: (payload: Buffer) => Promise<unknown>;
    /** Throws for error codes inside. */
    readonly parse: (data: unknown) => Promise<unknown>;
  };
}

/** A request in all versions that kafkajs knows. */
export interface RequestDefinition {
  readonly protocol: (choice: { readonly version: number }) => (args?: unknown) => Protocol;
}

/** Versions of each request that a broker offers, by api key. */
export type ApiVersions = Readonly<
  Record<number, { readonly minVersion: number; readonly maxVersion: number }>
>;

/** kafkajs's definition of a request, by kafkajs's name, in the newest version that both sides know. */
export function protocolFor(name: string, versions: ApiVersions): (args: unknown) => Protocol {
  const definition = requestTable.requests[name];
  const apiKey = apiKeys[name];
  if (definition === undefined || apiKey === undefined) throw new Error(`kafkajs has no request "${name}"`);
  return requestTable.lookup(versions)(apiKey, definition);
}

/** The first request on a connection: it asks for the versions of all others. */
export function apiVersionsProtocol(): Protocol {
  const definition = requestTable.requests['ApiVersions'];
  if (definition === undefined) throw new Error('kafkajs has no request "ApiVersions"');
  return definition.protocol({ version: 0 })();
}
