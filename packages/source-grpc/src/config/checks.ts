import type { DescMethod, FileRegistry } from '@bufbuild/protobuf';
import type { ConfigIssue } from '@levada/connect-runtime-core';
import { issuesOf, readTlsFiles, validateTogether } from '@levada/connect-runtime-core/source-kit';
import { descriptorText } from '../descriptor/descriptor-text.ts';
import { findMethod } from '../descriptor/find-method.ts';
import { readDescriptor } from '../descriptor/read-descriptor.ts';
import { encodeRequest, resumeFieldProblem } from '../request/request-message.ts';
import { shownUrl } from '../request/token-url.ts';
import { type GrpcConfig, grpcConfig } from './config.ts';
import { configProblems } from './rules.ts';
import { tlsFiles } from './tls-files.ts';

export { configProblems } from './rules.ts';

/** See `SourceConnector.validate`: rules over several keys, TLS files, and the descriptor with all that depends on it. */
export const checkedValues = validateTogether({
  definition: grpcConfig,
  placeholders: {
    'grpc.server.host': 'placeholder.invalid',
    'grpc.server.port': '1',
    'grpc.service.name': 'placeholder',
    'grpc.method.name': 'placeholder',
    'platform.topic': 'placeholder',
  },
  rules: configProblems,
  readTls: (config) => readTlsFiles(tlsFiles(config)),
  more: methodProblems,
  shown: { 'grpc.oauth2.token.url': shownUrl },
});

/** Descriptor, method, request and resume field, each as far as the ones before are sound. */
function methodProblems(config: GrpcConfig, wrong: ReadonlySet<string>): readonly ConfigIssue[] {
  const text = descriptorText(config);
  if (text === undefined || wrong.has('grpc.proto.descriptor')) return [];
  return issuesOf('grpc.proto.descriptor', () => {
    const registry = readDescriptor(text, config['grpc.proto.import.paths']);
    if (wrong.has('grpc.service.name') || wrong.has('grpc.method.name')) return [];
    const method = findMethod(registry, config['grpc.service.name'], config['grpc.method.name']);
    const request = wrong.has('grpc.request.message') ? [] : requestProblems(config, method, registry);
    return [...request, ...resumeProblems(config, method)];
  });
}

function requestProblems(
  config: GrpcConfig,
  method: DescMethod,
  registry: FileRegistry,
): readonly ConfigIssue[] {
  return issuesOf('grpc.request.message', () => {
    encodeRequest(method, config['grpc.request.message'], registry);
    return [];
  });
}

function resumeProblems(config: GrpcConfig, method: DescMethod): readonly ConfigIssue[] {
  const key = 'grpc.request.resume.field';
  const field = config[key];
  const message = field === null ? undefined : resumeFieldProblem(method, field);
  return message === undefined ? [] : [{ key, message }];
}
