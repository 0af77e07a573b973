/**
 * Keys that are read and checked in themselves, and used by nothing else: no other finding, no file that compilation writes and no
 * lineage depends on them, because nothing contacts systems, generates jobs, runs tests or watches topics yet. The format says so of `state_backend`,
 * which is reported where it is written; of the others the text of LV1303 says it. Remove a row when its key gets an effect.
 */
export const keysWithoutEffect: readonly string[] = [
  'sources[].event_time.allowed_lateness_ms',
  'sources[].advanced.event_time.allowed_lateness_ms',
  'models[].advanced.event_time.allowed_lateness_ms',
  'models[].advanced.engine.parallelism',
  'models[].advanced.engine.checkpoint_interval_ms',
  'models[].advanced.engine.state_backend',
  'tests[].sample_size',
  'tests[].assertions[].positive.allow_zero',
  'tests[].assertions[].max_lag.max_seconds',
  'tests[].assertions[].freshness.max_age_minutes',
  'tests[].on_failure.severity',
  'tests[].on_failure.actions[].alert',
  'runtime.platform.bootstrap_servers',
  'runtime.schema_registry.url',
  'runtime.engine.clusters.<cluster>.rest_url',
  'runtime.engine.clusters.<cluster>.sql_gateway_url',
  'runtime.engine.clusters.<cluster>.environment',
  'runtime.engine.clusters.<cluster>.api_key',
  'runtime.connect.clusters.<cluster>.rest_url',
  'runtime.vendor.gateway.admin_url',
  'runtime.vendor.gateway.proxy_bootstrap',
  'runtime.vendor.gateway.virtual_cluster',
  'exposures[].repo',
  'exposures[].sla.max_error_rate',
];
