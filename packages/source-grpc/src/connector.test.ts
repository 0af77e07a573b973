import { describe, expect, it } from 'vitest';
import { grpcConfig } from './config/config.ts';
import { grpcSourceConnector } from './connector.ts';

const base = {
  'grpc.server.host': '127.0.0.1',
  'grpc.server.port': '1',
  'grpc.service.name': 'prices.v1.Feed',
  'grpc.method.name': 'Subscribe',
  'platform.topic': 'prices',
};

describe('the gRPC connector', () => {
  it.each([
    [{}, { key: [], value: ['string'], header: [] }],
    [{ 'grpc.message.format': 'protobuf' }, { key: [], value: ['bytes'], header: [] }],
    [
      { 'grpc.record.key': '/id', 'record.headers.enabled': 'true' },
      { key: ['string'], value: ['string'], header: ['string'] },
    ],
    [{ 'grpc.dead.letter.topic': 'dead' }, { key: [], value: ['string'], header: ['string'] }],
    [
      { 'grpc.message.format': 'protobuf', 'grpc.dead.letter.topic': 'dead' },
      { key: [], value: ['bytes'], header: [] },
    ],
    [
      {
        'grpc.message.format': 'protobuf',
        'grpc.dead.letter.topic': 'dead',
        'grpc.request.resume.field': 'from',
      },
      { key: [], value: ['bytes', 'string'], header: ['string'] },
    ],
  ])('states the types of records and dead letters with %j', (given, produced) => {
    const config = grpcConfig.parse({ ...base, ...given });
    expect(grpcSourceConnector.produces?.(config)).toEqual(produced);
  });
});
