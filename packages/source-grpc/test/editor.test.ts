import { describeOptionsInEditor } from '@levada/test-peers/editor';
import { grpcSourceConnector } from '../src/index.ts';

describeOptionsInEditor({
  folder: new URL('../', import.meta.url),
  packageName: '@levada/source-grpc',
  factory: 'grpcSource',
  optionsType: 'GrpcOptions',
  keys: grpcSourceConnector.config.keys,
});
