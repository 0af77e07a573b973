import type { FileRegistry } from '@bufbuild/protobuf';
import { wireToJson } from '@levada/protobuf-tables';
import type { GrpcConfig } from '../config/config.ts';
import { descriptorText } from '../descriptor/descriptor-text.ts';
import { findMethod } from '../descriptor/find-method.ts';
import { readDescriptor } from '../descriptor/read-descriptor.ts';
import type { MethodDefinition } from '../model/session.ts';
import type { Channel } from '../transport/channel.ts';
import { type ReflectOptions, reflect } from './reflect.ts';

/** The method that a configuration names, as its descriptor has it; undefined when the server is to be asked. Throws a ConnectorError. */
export function configuredMethod(config: GrpcConfig): MethodDefinition | undefined {
  const text = descriptorText(config);
  return text === undefined
    ? undefined
    : definitionIn(readDescriptor(text, config['grpc.proto.import.paths']), config);
}

/** The method that a configuration names, as the server describes it. Rejects with a ConnectorError. */
export async function reflectedMethod(
  config: GrpcConfig,
  channel: Channel,
  call: Omit<ReflectOptions, 'service' | 'timeoutMs'>,
): Promise<MethodDefinition> {
  const registry = await reflect(channel, {
    service: config['grpc.service.name'],
    timeoutMs: config['grpc.connection.timeout.ms'],
    ...call,
  });
  return definitionIn(registry, config);
}

function definitionIn(registry: FileRegistry, config: GrpcConfig): MethodDefinition {
  const method = findMethod(registry, config['grpc.service.name'], config['grpc.method.name']);
  const converter = wireToJson(method.output, {
    registry,
    defaults: !config['grpc.json.omit.defaults'],
    protoNames: config['grpc.json.proto.names'],
    enumsAsIntegers: config['grpc.json.enums.as.integers'],
    safeIntegersAsNumbers: config['grpc.json.safe.integers.as.numbers'],
    invalidUtf8: config['grpc.json.invalid.utf8'] as 'reject' | 'replace',
  });
  return { method, registry, converter };
}
