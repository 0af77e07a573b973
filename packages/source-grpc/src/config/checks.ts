import type { DescMethod, FileRegistry } from '@bufbuild/protobuf';
import {
  type ConfigIssue,
  type ConfigValue,
  isConnectorError,
  type RawConfig,
} from '@levada/connect-runtime-core';
import { readTlsFiles } from '@levada/connect-runtime-core/net';
import { descriptorText } from '../descriptor/descriptor-text.ts';
import { findMethod } from '../descriptor/find-method.ts';
import { readDescriptor } from '../descriptor/read-descriptor.ts';
import { encodeRequest, resumeFieldProblem } from '../request/request-message.ts';
import { shownUrl } from '../request/token-url.ts';
import { type GrpcConfig, grpcConfig } from './config.ts';
import { configProblems } from './rules.ts';
import { tlsFiles } from './tls-files.ts';

export { configProblems } from './rules.ts';

/**
 * What validation says of the keys one by one, with the findings of {@link configProblems} and of reading descriptor and TLS
 * files added, all at once. Of what is wrong already nothing more is said.
 */
export function checkedValues(raw: RawConfig, values: readonly ConfigValue[]): readonly ConfigValue[] {
  const wrong = new Set(values.filter((value) => value.errors.length > 0).map((value) => value.name));
  const issues = problemsOf(raw, wrong);
  return values.map((value) => {
    const messages = issues.filter((issue) => issue.key === value.name).map((issue) => issue.message);
    const isUrl = value.name === 'grpc.oauth2.token.url' && value.value !== null;
    const shown = isUrl ? shownUrl(value.value ?? '') : value.value;
    return { ...value, value: shown, errors: [...value.errors, ...messages] };
  });
}

/** Stand in for required keys that are wrong or missing. */
const placeholders: RawConfig = {
  'grpc.server.host': 'placeholder.invalid',
  'grpc.server.port': '1',
  'grpc.service.name': 'placeholder',
  'grpc.method.name': 'placeholder',
  'platform.topic': 'placeholder',
};

/** What the sound keys have against each other and their files; the `wrong` ones are left out. */
function problemsOf(raw: RawConfig, wrong: ReadonlySet<string>): readonly ConfigIssue[] {
  const sound = Object.entries(grpcConfig.canonical(raw)).filter(([name]) => !wrong.has(name));
  const config = grpcConfig.parse({ ...placeholders, ...Object.fromEntries(sound) });
  const rules = configProblems(config).filter(({ key }) => !wrong.has(key));
  const hasTlsProblem = rules.some(({ key }) => key.startsWith('grpc.tls.'));
  return [...rules, ...(hasTlsProblem ? [] : tlsProblems(config)), ...methodProblems(config, wrong)];
}

function tlsProblems(config: GrpcConfig): readonly ConfigIssue[] {
  const files = tlsFiles(config);
  const read = (): readonly ConfigIssue[] => {
    readTlsFiles(files);
    return [];
  };
  return issuesOf('grpc.tls.enabled', read).map(({ message }) => {
    // The longest name first: one is the beginning of another.
    const keys = files.map(({ key }) => key).sort((one, other) => other.length - one.length);
    return { key: keys.find((key) => message.includes(key)) ?? 'grpc.tls.enabled', message };
  });
}

/** Descriptor, method, request and resume field, each as far as the ones before are sound. */
function methodProblems(config: GrpcConfig, wrong: ReadonlySet<string>): readonly ConfigIssue[] {
  const text = descriptorText(config);
  if (text === undefined || wrong.has('grpc.proto.descriptor')) return [];
  return issuesOf('grpc.proto.descriptor', () => {
    const registry = readDescriptor(text);
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

/** The issues that are returned or thrown; those that name no key are told at `key`. */
function issuesOf(key: string, check: () => readonly ConfigIssue[]): readonly ConfigIssue[] {
  try {
    return check();
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    return thrown.issues.length > 0 ? thrown.issues : [{ key, message: thrown.message }];
  }
}
