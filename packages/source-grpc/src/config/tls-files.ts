import type { TlsFile } from '@levada/connect-runtime-core/source-kit';
import type { GrpcConfig } from './config.ts';

/** The TLS files that a configuration names; none when TLS is off. */
export function tlsFiles(config: GrpcConfig): readonly TlsFile[] {
  if (!config['grpc.tls.enabled']) return [];
  return [
    { option: 'ca', key: 'grpc.tls.ca.cert', value: config['grpc.tls.ca.cert'] },
    { option: 'cert', key: 'grpc.tls.client.cert', value: config['grpc.tls.client.cert'] },
    { option: 'key', key: 'grpc.tls.client.key', value: config['grpc.tls.client.key'] },
    {
      option: 'key',
      key: 'grpc.tls.client.key.pem',
      value: config['grpc.tls.client.key.pem']?.reveal() ?? null,
      secret: true,
    },
  ];
}
