// What tests read batches back with: parts of kafkajs 2.2.4, another implementation, that its own typings leave out.

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
