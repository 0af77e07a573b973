// The parts of kafkajs 2.2.4 that are used and that its own typings leave out. The package has no exports map.

declare module 'kafkajs/src/protocol/requests/index.js' {
  import type { Protocol, RequestDefinition } from './protocol.ts';

  const table: {
    readonly requests: Readonly<Record<string, RequestDefinition>>;
    readonly lookup: (
      versions: Readonly<Record<number, { readonly minVersion: number; readonly maxVersion: number }>>,
    ) => (apiKey: number, definition: RequestDefinition) => (args: unknown) => Protocol;
  };
  export = table;
}

declare module 'kafkajs/src/protocol/requests/apiKeys.js' {
  const apiKeys: Readonly<Record<string, number>>;
  export = apiKeys;
}

declare module 'kafkajs/src/protocol/request.js' {
  const createRequest: (parts: {
    readonly request: unknown;
    readonly correlationId: number;
    readonly clientId: string;
  }) => Promise<{ readonly buffer: Buffer }>;
  export = createRequest;
}

declare module 'kafkajs/src/network/socketFactory.js' {
  import type { ISocketFactory } from 'kafkajs';

  const socketFactory: () => ISocketFactory;
  export = socketFactory;
}

declare module 'kafkajs/src/broker/saslAuthenticator/index.js' {
  import type { Protocol } from './protocol.ts';

  class SaslAuthenticator {
    constructor(
      connection: {
        readonly host: string;
        readonly port: number;
        readonly sasl: object;
        readonly send: (protocol: Protocol) => Promise<unknown>;
      },
      logger: unknown,
      versions: unknown,
      supportAuthenticationProtocol: boolean,
    );
    /** Milliseconds as text; `'0'`: unlimited. */
    readonly sessionLifetime: string;
    authenticate(): Promise<void>;
  }
  export = SaslAuthenticator;
}

// What tests read batches back with.

declare module 'kafkajs/src/protocol/decoder.js' {
  class Decoder {
    constructor(bytes: Buffer);
  }
  export = Decoder;
}

declare module 'kafkajs/src/protocol/recordBatch/v0/decoder.js' {
  const decodeBatch: (decoder: unknown) => Promise<{
    readonly records: readonly {
      readonly key: Buffer | null;
      readonly value: Buffer | null;
      readonly timestamp: string;
      readonly offset: string;
      readonly headers: Readonly<Record<string, Buffer | null>>;
    }[];
  }>;
  export = decodeBatch;
}
