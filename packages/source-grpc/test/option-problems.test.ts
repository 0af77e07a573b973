import { describeOptionProblems } from '@levada/test-peers/option-problems';
import { grpcSource, grpcSourceConnector } from '../src/index.ts';

describeOptionProblems({
  factory: grpcSource,
  name: 'grpcSource',
  keys: grpcSourceConnector.config.keys,
  sound: { host: 'h', port: 1, service: 's', method: 'm', topic: 't' },
  soundConfig: {
    'grpc.server.host': 'h',
    'grpc.server.port': '1',
    'grpc.service.name': 's',
    'grpc.method.name': 'm',
    'platform.topic': 't',
  },
});
