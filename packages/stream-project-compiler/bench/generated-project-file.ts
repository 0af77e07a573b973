/** The project file of a generated project: all that its models and tests need, defaults, and rules that they keep. */
export function writeProjectFile(models: number): string {
  return `project:
  name: generated-${models}
  version: 1.0.0
  description: ${models} models that were generated
runtime:
  platform:
    bootstrap_servers: localhost:9092
  schema_registry:
    url: http://localhost:8081
  engine:
    default: main
    clusters:
      main:
        type: rest
        rest_url: http://localhost:8082
  connect:
    default: main
    clusters:
      main:
        rest_url: http://localhost:8083
defaults:
  topic:
    partitions: 3
    replication_factor: 1
rules:
  topics:
    min_partitions: 2
    max_partitions: 48
    naming_pattern: "^[a-z]+\\\\.[a-z0-9-]+\\\\.v[0-9]+$"
    forbidden_prefixes: [tmp., test.]
    required_config: [retention.ms]
  models:
    require_description: true
    require_owner: true
    max_dependencies: 10
  sources:
    require_schema: true
    require_freshness: true
  security:
    require_classification: true
    sensitive_columns_require_masking: true
`;
}
