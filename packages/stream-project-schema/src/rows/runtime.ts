import type { MapField, ObjectField, Section, TextField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';
import { clusterTypes, type SinkConnector, saslMechanisms, securityProtocols } from '../fields/vocabulary.ts';
import { sinkConnectorClasses } from './sink-connector-classes.ts';

const platform = {
  type: 'object',
  doc: 'The log platform: where topics are.',
  required: true,
  fields: {
    bootstrap_servers: {
      type: 'text',
      required: true,
      notEmpty: true,
      format: 'servers',
      doc: 'Address of the broker, or addresses with commas between.',
    },
    security_protocol: { type: 'enum', values: securityProtocols, doc: 'How clients speak to the brokers.' },
    sasl_mechanism: { type: 'enum', values: saslMechanisms, doc: 'How clients authenticate with SASL.' },
    sasl_username: { type: 'text', doc: 'User name for SASL.' },
    sasl_password: { type: 'text', secret: true, doc: 'Password for SASL.' },
  },
} as const satisfies ObjectField;

const schemaRegistry = {
  type: 'object',
  doc: 'The registry of schemas.',
  fields: {
    url: { type: 'text', required: true, notEmpty: true, format: 'http-url', doc: 'URL of the registry.' },
    username: { type: 'text', doc: 'User name for basic authentication.' },
    password: { type: 'text', secret: true, doc: 'Password for basic authentication.' },
  },
} as const satisfies ObjectField;

const engineClusterFields = {
  type: { type: 'enum', values: clusterTypes, doc: 'What kind of cluster it is.' },
  rest_url: { type: 'text', format: 'http-url', doc: "URL of the engine's REST API." },
  sql_gateway_url: { type: 'text', format: 'http-url', doc: "URL of the engine's SQL gateway." },
  version: {
    type: 'text',
    format: 'engine-version',
    doc: 'Version of the engine, such as `1.20`. SQL is checked against what that version has; default: the newest that is known. Jobs are written for 1.20 and 2.0 to 2.3; default: 2.2.',
  },
  environment: { type: 'text', doc: 'Identifier of the environment, for managed services.' },
  api_key: { type: 'text', secret: true, doc: 'Key for managed services.' },
} as const satisfies Section;

const engineClusters = {
  type: 'map',
  keys: 'cluster',
  doc: 'Engine clusters by name.',
  values: { type: 'object', doc: 'One engine cluster.', fields: engineClusterFields },
} as const satisfies MapField;

const connectClusters = {
  type: 'map',
  keys: 'cluster',
  doc: 'Clusters of the connector runtime by name.',
  values: {
    type: 'object',
    doc: 'One cluster of the connector runtime.',
    fields: {
      rest_url: {
        type: 'text',
        required: true,
        notEmpty: true,
        format: 'http-url',
        doc: "URL of the connector runtime's REST interface.",
      },
    },
  },
} as const satisfies MapField;

function connectorClass(word: SinkConnector) {
  const { className, project, since, note } = sinkConnectorClasses[word];
  const from = `Class that \`${word}\` stands for. The default is that of ${project}, since its version ${since}.`;
  return {
    type: 'text',
    format: 'class-name',
    status: 'extension',
    default: className,
    doc: note === undefined ? from : `${from} ${note}`,
  } as const satisfies TextField;
}

const connectorClasses = {
  type: 'object',
  status: 'extension',
  doc: 'Classes of the connectors that sinks name by a word, for connector runtimes that have others. A sink may also name a class itself.',
  fields: {
    'warehouse-sink': connectorClass('warehouse-sink'),
    'query-engine-sink': connectorClass('query-engine-sink'),
    'object-store-sink': connectorClass('object-store-sink'),
    'bucket-sink': connectorClass('bucket-sink'),
    'jdbc-sink': connectorClass('jdbc-sink'),
    'search-sink': connectorClass('search-sink'),
    'http-sink': connectorClass('http-sink'),
  } satisfies Readonly<Record<SinkConnector, TextField>>,
} as const satisfies ObjectField;

const gateway = {
  type: 'object',
  doc: 'The gateway that serves virtual topics.',
  requiredWhen: 'a model is a virtual topic',
  movedFrom: ['runtime.gateway', 'gateway'],
  fields: {
    admin_url: {
      type: 'text',
      required: true,
      notEmpty: true,
      format: 'http-url',
      doc: "URL of the gateway's admin API.",
      movedFrom: ['runtime.vendor.gateway.url'],
    },
    proxy_bootstrap: {
      type: 'text',
      required: true,
      notEmpty: true,
      format: 'servers',
      doc: "Address of the gateway's proxy, for clients.",
    },
    username: { type: 'text', default: 'admin', doc: 'User name for the admin API.' },
    password: { type: 'text', secret: true, doc: 'Password for the admin API. There is no default.' },
    virtual_cluster: { type: 'text', doc: 'Virtual cluster, where several tenants share a gateway.' },
  },
} as const satisfies ObjectField;

export const runtimeField = {
  type: 'object',
  doc: 'Systems that the project runs on. Nothing here is contacted by validation or compilation.',
  required: true,
  fields: {
    platform,
    schema_registry: schemaRegistry,
    engine: {
      type: 'object',
      doc: 'Clusters of the stream processing engine.',
      requiredWhen: 'a model or a continuous test runs on the engine',
      fields: {
        default: { type: 'text', refersTo: 'engine-cluster', doc: 'Name of the default cluster.' },
        clusters: engineClusters,
        functions: {
          type: 'list',
          status: 'extension',
          doc: 'Functions that are registered with the engine, in addition to its own. SQL may call them; their types are not known.',
          items: { type: 'text', notEmpty: true, doc: 'Name of a function, as SQL calls it.' },
        },
      },
    },
    connect: {
      type: 'object',
      doc: 'Clusters of the connector runtime, where sinks run.',
      fields: {
        default: { type: 'text', refersTo: 'connect-cluster', doc: 'Name of the default cluster.' },
        clusters: connectClusters,
        connector_classes: connectorClasses,
      },
    },
    vendor: {
      type: 'object',
      doc: "A vendor's additions to the platform.",
      fields: { gateway },
    },
  },
} as const satisfies ObjectField;

/** The section `runtime`. */
export type Runtime = ValueOf<typeof runtimeField>;
