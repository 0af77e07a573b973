// A request and its answer for each operation of the REST interface, in the order of the page. A test does them in this order on a worker.

const header = "-H 'content-type: application/json'";
const json = `\\\n>   ${header}`;
const status = "\\\n>   -w '%{http_code}\\n'";

/** What the first example takes as given. */
export const surroundings = `The examples run in this order on a worker that keeps its topics in a folder:

\`\`\`console
$ levada worker dev --port 8083 > worker.log &
$ levada worker health --wait 60
…
\`\`\``;

/** Not shown: a change is carried out after its answer. */
const running = `until curl -s localhost:8083/connectors/telemetry/status | grep -q '"id":0,"state":"RUNNING"'; do sleep 0.1; done`;
const created = `curl -s localhost:8083/connectors ${header} -d '{"name":"telemetry","config":{"connector.class":"OpenTelemetrySource","tasks.max":"1","otlp.bind.address":"127.0.0.1","otlp.grpc.port":"4317","otlp.http.port":"4318"}}'`;
const received = `curl -s localhost:4318/v1/logs ${header} -d '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hello"}}]}]}]}'
until curl -s localhost:8083/connectors/telemetry/topics | grep -q otlp-logs; do sleep 0.1; done`;
const committed = `until curl -s localhost:8083/connectors/telemetry/offsets | grep -q LOGS; do sleep 0.1; done`;

/** By `operationId`: the lines of a terminal; what runs unseen before; why a test does not run it. */
export const restExamples = {
  getServerInfo: {
    lines: `$ curl -s localhost:8083/ | jq
{
  "version": "3.9.1",
  "commit": "levada-…",
  "platform_cluster_id": "…",
  "kafka_cluster_id": "…"
}`,
  },
  getHealth: {
    lines: `$ curl -s localhost:8083/health
{"status":"healthy","message":"Worker has completed startup and is ready …`,
  },
  getLiveness: {
    lines: `$ curl -s localhost:8083/health/live
{"status":"healthy","message":"The worker answers requests."}`,
  },
  getReadiness: {
    lines: `$ curl -s localhost:8083/health/ready
{"status":"healthy","message":"The worker is ready."}`,
  },
  listWorkers: {
    lines: `$ curl -s localhost:8083/workers
{"workers":["127.0.0.1:8083"]}`,
  },
  getPrometheusMetrics: {
    lines: `$ curl -s 'localhost:8083/metrics?family=connect_worker_log_state'
# HELP connect_worker_log_state …
# TYPE connect_worker_log_state gauge
connect_worker_log_state{state="ok",partial="false"} 1
…`,
  },
  getOpenApi: {
    lines: `$ curl -s localhost:8083/openapi.json | jq
{
  "openapi": "3.1.0",
…`,
  },
  listConnectors: {
    lines: `$ curl -s localhost:8083/connectors
[]`,
  },
  createConnector: {
    lines: `$ curl -s localhost:8083/connectors ${json} -d '
> {
>   "name": "telemetry",
>   "config": {
>     "connector.class": "OpenTelemetrySource",
>     "tasks.max": "1",
>     "otlp.bind.address": "127.0.0.1",
>     "otlp.grpc.port": "4317",
>     "otlp.http.port": "4318"
>   }
> }' | jq
{
  "name": "telemetry",
  "config": {
    "connector.class": "OpenTelemetrySource",
    "tasks.max": "1",
    "otlp.bind.address": "127.0.0.1",
    "otlp.grpc.port": "4317",
    "otlp.http.port": "4318",
    "name": "telemetry"
  },
  "tasks": [],
  "type": "source"
}`,
  },
  getConnector: {
    before: running,
    lines: `$ curl -s localhost:8083/connectors/telemetry | jq
{
  "name": "telemetry",
  "config": {
    "connector.class": "OpenTelemetrySource",
    "tasks.max": "1",
    "otlp.bind.address": "127.0.0.1",
    "otlp.grpc.port": "4317",
    "otlp.http.port": "4318",
    "name": "telemetry"
  },
  "tasks": [
    {
      "connector": "telemetry",
      "task": 0
    }
  ],
  "type": "source"
}`,
  },
  getConnectorConfig: {
    lines: `$ curl -s localhost:8083/connectors/telemetry/config | jq
{
  "connector.class": "OpenTelemetrySource",
  "tasks.max": "1",
  "otlp.bind.address": "127.0.0.1",
  "otlp.grpc.port": "4317",
  "otlp.http.port": "4318",
  "name": "telemetry"
}`,
  },
  putConnectorConfig: {
    lines: `$ curl -s -X PUT localhost:8083/connectors/telemetry/config ${json} -d '
> {
>   "connector.class": "OpenTelemetrySource",
>   "tasks.max": "1",
>   "otlp.bind.address": "127.0.0.1",
>   "otlp.grpc.port": "4317",
>   "otlp.http.port": "4318",
>   "otlp.ack.mode": "produced"
> }' | jq
{
  "name": "telemetry",
  "config": {
    "connector.class": "OpenTelemetrySource",
    "tasks.max": "1",
    "otlp.bind.address": "127.0.0.1",
    "otlp.grpc.port": "4317",
    "otlp.http.port": "4318",
    "otlp.ack.mode": "produced",
    "name": "telemetry"
  },
…`,
  },
  patchConnectorConfig: {
    lines: `$ curl -s -X PATCH localhost:8083/connectors/telemetry/config ${json} -d '
> { "otlp.message.queue.size": "50000", "otlp.ack.mode": null }' | jq
{
  "name": "telemetry",
  "config": {
    "connector.class": "OpenTelemetrySource",
    "tasks.max": "1",
    "otlp.bind.address": "127.0.0.1",
    "otlp.grpc.port": "4317",
    "otlp.http.port": "4318",
    "name": "telemetry",
    "otlp.message.queue.size": "50000"
  },
…`,
  },
  getConnectorStatus: {
    before: running,
    lines: `$ curl -s 'localhost:8083/connectors/telemetry/status?expand=connection' | jq
{
  "name": "telemetry",
  "connector": {
    "state": "RUNNING",
    "worker_id": "127.0.0.1:8083"
  },
  "tasks": [
    {
      "id": 0,
      "state": "RUNNING",
      "worker_id": "127.0.0.1:8083"
    }
  ],
  "type": "source",
  "connection": [
    {
      "task": 0,
      "state": "listening",
      "last_message_age_ms": null,
      "held_up_ms": null,
      "last_error": null,
      "attempt": null,
…`,
  },
  getConnectorMetrics: {
    lines: `$ curl -s localhost:8083/connectors/telemetry/metrics | jq
{
  "io.vendor.connect.otel:type=OpenTelemetryConnector,name=telemetry": {
    "TracesReceived": 0,
    "MetricsReceived": 0,
    "LogsReceived": 0,
…`,
  },
  restartConnector: {
    lines: `$ curl -s -X POST 'localhost:8083/connectors/telemetry/restart?includeTasks=true' \\
>   | jq
{
  "name": "telemetry",
  "connector": {
    "state": "RESTARTING",
    "worker_id": "127.0.0.1:8083"
  },
…`,
  },
  pauseConnector: {
    lines: `$ curl -s -X PUT localhost:8083/connectors/telemetry/pause ${status}
202`,
  },
  resumeConnector: {
    lines: `$ curl -s -X PUT localhost:8083/connectors/telemetry/resume ${status}
202`,
  },
  listTasks: {
    before: running,
    lines: `$ curl -s localhost:8083/connectors/telemetry/tasks | jq
[
  {
    "id": {
      "connector": "telemetry",
      "task": 0
    },
    "config": {
      "connector.class": "OpenTelemetrySource",
      "tasks.max": "1",
…`,
  },
  getTaskConfigs: {
    lines: `$ curl -s localhost:8083/connectors/telemetry/tasks-config | jq
{
  "telemetry-0": {
…`,
  },
  getTaskStatus: {
    lines: `$ curl -s localhost:8083/connectors/telemetry/tasks/0/status | jq
{
  "id": 0,
  "state": "RUNNING",
  "worker_id": "127.0.0.1:8083"
}`,
  },
  restartTask: {
    lines: `$ curl -s -X POST localhost:8083/connectors/telemetry/tasks/0/restart ${status}
204`,
  },
  getActiveTopics: {
    before: `${running}\n${received}`,
    lines: `$ curl -s localhost:8083/connectors/telemetry/topics
{"telemetry":{"topics":["otlp-logs"]}}`,
  },
  listRecords: {
    lines: `$ curl -s 'localhost:8083/connectors/telemetry/records?last=1' | jq
{
  "records": [
    {
      "topic": "otlp-logs",
      "partition": 0,
      "offset": 0,
      "timestamp": …,
      "key": null,
      "value": "{\\"resourceLogs\\":…
…`,
  },
  resetActiveTopics: {
    lines: `$ curl -s -X PUT localhost:8083/connectors/telemetry/topics/reset ${status}
202`,
  },
  stopConnector: {
    lines: `$ curl -s -X PUT localhost:8083/connectors/telemetry/stop ${status}
204`,
  },
  getOffsets: {
    before: committed,
    lines: `$ curl -s localhost:8083/connectors/telemetry/offsets | jq
{
  "offsets": [
    {
      "partition": {
        "connector_name": "telemetry",
        "signal_type": "LOGS"
      },
      "offset": {
        "sequence": 1,
        "session_id": "…",
        "signal_type": "LOGS"
      }
    }
  ]
}`,
  },
  alterOffsets: {
    lines: `$ curl -s -X PATCH localhost:8083/connectors/telemetry/offsets ${json} -d '
> {
>   "offsets": [
>     {
>       "partition": { "connector_name": "telemetry", "signal_type": "LOGS" },
>       "offset": null
>     }
>   ]
> }'
{"message":"The offsets for this connector have been altered successfully"}`,
  },
  resetOffsets: {
    lines: `$ curl -s -X DELETE localhost:8083/connectors/telemetry/offsets
{"message":"The offsets for this connector have been reset successfully"}`,
  },
  putTasks: {
    lines: `$ curl -s localhost:8083/connectors/telemetry/tasks ${json} -d '[]'
{"error_code":400,"message":"Internal request missing required signature"}`,
  },
  fenceTasks: {
    lines: `$ curl -s -X PUT localhost:8083/connectors/telemetry/fence
{"error_code":400,"message":"Internal request missing required signature"}`,
  },
  deleteConnector: {
    lines: `$ curl -s -X DELETE localhost:8083/connectors/telemetry ${status}
204`,
  },
  listPlugins: {
    lines: `$ curl -s localhost:8083/connector-plugins | jq
[
  {
    "class": "io.vendor.connect.grpc.GrpcSourceConnector",
    "type": "source",
    "version": "…"
  },
…`,
  },
  getPluginConfig: {
    lines: `$ curl -s localhost:8083/connector-plugins/WebSocketSource/config | jq
[
  {
    "name": "websocket.url",
    "type": "STRING",
    "required": true,
    "default_value": null,
    "importance": "HIGH",
…`,
  },
  validateConfig: {
    lines: `$ curl -s -X PUT localhost:8083/connector-plugins/WebSocketSource/config/validate ${json} -d '
> {
>   "connector.class": "WebSocketSource",
>   "name": "prices",
>   "platform.topic": "prices",
>   "websocket.url": "feed.example"
> }' | jq
{
  "name": "WebSocketSource",
  "error_count": 1,
…
      "value": {
        "name": "websocket.url",
        "value": "feed.example",
        "recommended_values": [],
        "errors": [
…`,
  },
  listLogLines: {
    lines: `$ curl -s 'localhost:8083/admin/logs?last=1' | jq
{
  "since": …,
  "last": …,
  "lost": 0,
  "lines": [
    {
      "level": "info",
      "time": "…",
…`,
  },
  listLoggers: {
    lines: `$ curl -s localhost:8083/admin/loggers
{"root":{"level":"INFO","last_modified":null}}`,
  },
  setLogger: {
    lines: `$ curl -s -X PUT localhost:8083/admin/loggers/levada.rest ${json} -d '{ "level": "DEBUG" }'
["levada.rest"]`,
  },
  getLogger: {
    lines: `$ curl -s localhost:8083/admin/loggers/levada.rest
{"level":"DEBUG","last_modified":…}`,
  },
  getMetrics: {
    before: `${created}\n${running}`,
    lines: `$ curl -s localhost:8083/admin/metrics | jq
{
  "io.vendor.connect.otel:type=OpenTelemetryConnector,name=telemetry": {
    "TracesReceived": 0,
…`,
  },
};
