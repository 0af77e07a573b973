import type { SinkConnector } from '@levada/stream-project-schema';

/** Class of the connector runtime for each word that `sink.connector` may be, where the caller names no other. */
export const sinkConnectorClasses: Readonly<Record<SinkConnector, string>> = {
  'warehouse-sink': 'io.vendor.connect.warehouse.WarehouseSinkConnector',
  'query-engine-sink': 'io.vendor.connect.queryengine.QueryEngineSinkConnector',
  'object-store-sink': 'io.vendor.connect.objectstore.ObjectStoreSinkConnector',
  'bucket-sink': 'io.vendor.connect.bucket.BucketSinkConnector',
  'jdbc-sink': 'io.vendor.connect.jdbc.JdbcSinkConnector',
  'search-sink': 'io.vendor.connect.search.SearchSinkConnector',
  'http-sink': 'io.vendor.connect.http.HttpSinkConnector',
};
