/** Keys that people write although the format has none such, by path, and why not. */
export const removedKeys: Readonly<Record<string, string>> = {
  'models[].materialized': 'what a model becomes is inferred from its SQL and configuration',
  'models[].advanced.materialized': 'what a model becomes is inferred from its SQL and configuration',
  'models[].columns[].type': 'types of output columns come from the SQL',
  'models[].schema': 'the schema of the output comes from the SQL',
  'sources[].type': 'a source is always a topic; the language of its schema is "schema.format"',
  'runtime.platform.bootstrap_servers_internal': 'the platform has one address, "bootstrap_servers"',
  'runtime.vendor.console': 'the project needs no console',
  'tests[].timeout': 'tests have no timeout',
  'tests[].on_failure.actions[].pause_model': 'the actions are "alert" and "dlq"',
  'tests[].on_failure.actions[].block_deploy': 'the actions are "alert" and "dlq"',
  environments: 'values that differ are written as variables',
};
