// The format document's tables, field by field, written from the document and not from the rows.
// `!` required, `?` optional; then the type, with the values of an enumeration, the default, or the status after it.
const tables: Readonly<Record<string, string>> = {
  project: `
    name ! text
    version ? text
    description ? text`,
  'runtime.platform': `
    bootstrap_servers ! text
    security_protocol ? enum PLAINTEXT SSL SASL_PLAINTEXT SASL_SSL
    sasl_mechanism ? enum PLAIN SCRAM-SHA-256 SCRAM-SHA-512
    sasl_username ? text
    sasl_password ? text`,
  'runtime.schema_registry': `
    url ! text
    username ? text
    password ? text`,
  'runtime.engine': `
    default ? text
    clusters ? map`,
  'runtime.engine.clusters.<name>': `
    type ? enum rest docker kubernetes managed
    rest_url ? text
    sql_gateway_url ? text
    version ? text
    environment ? text
    api_key ? text`,
  'runtime.connect': `
    default ? text
    clusters ? map`,
  'runtime.connect.clusters.<name>': `
    rest_url ! text`,
  'runtime.vendor': `
    gateway ? object`,
  'runtime.vendor.gateway': `
    admin_url ! text
    proxy_bootstrap ! text
    username ? text =admin
    password ? text
    virtual_cluster ? text`,
  'defaults.topic': `
    partitions ? integer
    replication_factor ? integer`,
  'defaults.models': `
    cluster ? text
    topic ? object`,
  'defaults.models.topic': `
    partitions ? integer
    replication_factor ? integer`,
  'defaults.tests': `
    engine_cluster ? text`,
  'rules.topics': `
    min_partitions ? integer
    max_partitions ? integer
    min_replication_factor ? integer
    required_config ? list
    naming_pattern ? text
    forbidden_prefixes ? list`,
  'rules.models': `
    require_description ? boolean
    require_owner ? boolean
    require_tests ? boolean
    max_dependencies ? integer`,
  'rules.sources': `
    require_schema ? boolean
    require_freshness ? boolean`,
  'rules.security': `
    require_classification ? boolean
    sensitive_columns_require_masking ? boolean`,
  'sources[]': `
    name ! text
    topic ! text
    description ? text
    cluster ? text
    owner ? text
    tags ? list
    schema ? object
    columns ? list
    freshness ? object
    event_time ? object`,
  'sources[].schema': `
    registry ? text
    subject ? text
    format ? enum avro json protobuf
    definition ? text`,
  'sources[].columns[]': `
    name ! text
    type ? text
    description ? text
    classification ? enum public internal confidential sensitive highly_sensitive
    proctime ? boolean`,
  'sources[].freshness': `
    max_lag_seconds ? integer
    warn_after_seconds ? integer`,
  'sources[].event_time': `
    column ! text
    watermark ? object
    allowed_lateness_ms ? integer`,
  'sources[].event_time.watermark': `
    strategy ? enum bounded_out_of_orderness monotonously_increasing =bounded_out_of_orderness
    max_out_of_orderness_ms ? integer =5000`,
  'sources[].advanced.event_time': `
    watermark ? object
    allowed_lateness_ms ? integer`,
  'sources[].advanced.event_time.watermark': `
    strategy ? enum bounded_out_of_orderness monotonously_increasing =bounded_out_of_orderness
    max_out_of_orderness_ms ? integer =5000`,
  'models[]': `
    name ! text
    description ? text
    owner ? text
    tags ? list
    access ? enum private protected public
    group ? text
    version ? integer
    key ? text
    sql ? text
    from ? union
    columns ? list
    security ? object
    deprecation ? map
    ml_outputs ? map
    advanced ? object
    sink ? object`,
  'models[].from[]': `
    ref ? text`,
  'models[].columns[]': `
    name ! text
    description ? text
    classification ? enum public internal confidential sensitive highly_sensitive`,
  'models[].security': `
    classification ? map
    policies ? list`,
  'models[].security.policies[]': `
    mask ? object`,
  'models[].security.policies[].mask': `
    column ! text
    method ! enum hash redact partial tokenize null
    for_roles ? list`,
  'models[].deprecation.<v1>': `
    sunset_date ? text
    message ? text`,
  'models[].ml_outputs.<model_name>': `
    description ? text
    columns ? list`,
  'models[].ml_outputs.<model_name>.columns[]': `
    name ! text
    type ? text`,
  'models[].advanced': `
    engine ? object
    engine_cluster ? text
    topic ? object
    connect_cluster ? text
    event_time ? object
    gateway ? object
    sink ? object`,
  'models[].advanced.engine': `
    parallelism ? integer
    checkpoint_interval_ms ? integer
    state_backend ? enum hashmap rocksdb @parsed
    state_ttl_ms ? integer
    checkpoint_timeout_ms ? integer @planned
    checkpoint_min_pause_ms ? integer @planned
    max_concurrent_checkpoints ? integer @planned`,
  'models[].advanced.topic': `
    name ? text
    partitions ? integer
    replication_factor ? integer
    config ? map`,
  'models[].advanced.event_time': `
    watermark ? object
    allowed_lateness_ms ? integer`,
  'models[].advanced.event_time.watermark': `
    strategy ? enum bounded_out_of_orderness monotonously_increasing =bounded_out_of_orderness
    max_out_of_orderness_ms ? integer =5000`,
  'models[].advanced.gateway': `
    virtual_topic ? object`,
  'models[].advanced.gateway.virtual_topic': `
    name ? text
    compression ? enum gzip snappy lz4 zstd`,
  'models[].advanced.sink': `
    connector ! enum warehouse-sink query-engine-sink object-store-sink bucket-sink jdbc-sink search-sink http-sink
    config ! map`,
  'models[].sink': `
    connector ! enum warehouse-sink query-engine-sink object-store-sink bucket-sink jdbc-sink search-sink http-sink
    config ! map`,
  'tests[]': `
    name ! text
    model ! text
    type ! enum schema sample continuous
    assertions ! list
    sample_size ? integer
    engine_cluster ? text
    on_failure ? object
    description ? text`,
  'tests[].on_failure': `
    severity ? enum error warning
    actions ? list`,
  'tests[].on_failure.actions[]': `
    alert ? object
    dlq ? object`,
  'tests[].on_failure.actions[].alert': `
    type ? text
    channel ? text`,
  'tests[].on_failure.actions[].dlq': `
    topic ! text`,
  'tests[].assertions[]': `
    not_null ? object
    accepted_values ? object
    accepted_types ? object
    range ? object
    unique_key ? object
    max_lag ? object
    throughput ? object
    distribution ? object
    foreign_key ? object
    custom_sql ? object
    freshness ? object
    positive ? object`,
  'tests[].assertions[].not_null': `
    columns ! list`,
  'tests[].assertions[].accepted_values': `
    column ! text
    values ! list`,
  'tests[].assertions[].accepted_types': `
    types ! map`,
  'tests[].assertions[].range': `
    column ! text
    min ? number
    max ? number`,
  'tests[].assertions[].unique_key': `
    key ! text
    window ? text
    tolerance ? number`,
  'tests[].assertions[].max_lag': `
    column ! text
    max_seconds ! number`,
  'tests[].assertions[].throughput': `
    min_per_second ? number
    max_per_second ? number`,
  'tests[].assertions[].distribution': `
    column ! text
    buckets ! list`,
  'tests[].assertions[].foreign_key': `
    column ! text
    ref_model ! text
    ref_key ! text`,
  'tests[].assertions[].custom_sql': `
    sql ! text
    expect ? any`,
  'tests[].assertions[].freshness': `
    column ! text
    max_age_minutes ! number`,
  'tests[].assertions[].positive': `
    column ! text
    allow_zero ? boolean`,
  'exposures[]': `
    name ! text
    type ! enum application dashboard ml_training ml_inference api
    role ? enum producer consumer both
    description ? text
    owner ? text
    url ? text
    repo ? text
    language ? text
    tool ? text
    schedule ? text
    consumes ? list
    produces ? list
    consumer_group ? text
    sla ? object
    contracts ? object
    access ? object`,
  'exposures[].consumes[]': `
    ref ? text
    source ? text`,
  'exposures[].produces[]': `
    ref ? text
    source ? text`,
  'exposures[].sla': `
    availability ? text
    max_lag_messages ? integer
    max_lag_minutes ? integer
    max_produce_latency_ms ? integer
    max_end_to_end_latency_ms ? integer
    max_error_rate ? number`,
  'exposures[].contracts': `
    schema ? text
    compatibility ? text`,
  'exposures[].access': `
    roles ? list
    purpose ? text`,
};

/** One field of the format document. */
export interface SeedField {
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  readonly words: readonly string[];
  readonly default: string | undefined;
  readonly status: string | undefined;
}

/** All of them. */
export const seedFields: readonly SeedField[] = Object.entries(tables).flatMap(([place, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => seedField(place, line.trim().split(' '))),
);

function seedField(place: string, [key, mark, type = '', ...rest]: readonly string[]): SeedField {
  return {
    path: `${place}.${key}`,
    required: mark === '!',
    type,
    words: rest.filter((word) => !/^[=@]/.test(word)),
    default: rest.find((word) => word.startsWith('='))?.slice(1),
    status: rest.find((word) => word.startsWith('@'))?.slice(1),
  };
}
