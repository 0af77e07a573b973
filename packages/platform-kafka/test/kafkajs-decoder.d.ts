// Parts of kafkajs 2.2.4 that its own types omit. Tests decode batches with them.

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
