/** The configured descriptor; undefined when there is none. Blank counts as none: forms send what was left empty. */
export function descriptorText(config: {
  readonly 'grpc.proto.descriptor': string | null;
}): string | undefined {
  const text = config['grpc.proto.descriptor'];
  return text === null || text.trim() === '' ? undefined : text;
}
