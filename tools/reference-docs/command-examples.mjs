// An example of each command, in the order of the page. A test runs them in this order in one folder.

/** The files that the examples name. Not shown: they are those of the first pages. */
export const surroundings = `<!-- What the examples take as given:

\`\`\`sh
mkdir connectors
cat > connectors/telemetry.yaml <<'END'
connector.class: OpenTelemetrySource
tasks.max: 1
otlp.bind.address: 127.0.0.1
otlp.grpc.port: 4317
otlp.http.port: 4318
END
echo 'listeners=http://127.0.0.1:8083' > worker.properties
echo '{"offsets":[{"partition":{"connector_name":"telemetry","signal_type":"LOGS"},"offset":null}]}' > offsets.json
\`\`\`

-->`;

const received = `curl -sf localhost:4318/v1/logs -H 'content-type: application/json' -d '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hello"}}]}]}]}'
until levada topic read otlp-logs -n 1 | grep -q hello; do sleep 0.1; done`;

/** By command: its lines in a terminal; what runs unseen before; why a test does not run it. */
export const commandExamples = {
  'levada worker start': {
    lines: 'levada worker start worker.properties',
    notRun: 'runs until it is stopped',
  },
  'levada worker dev': { lines: 'levada worker dev --port 8083 > worker.log &' },
  'levada worker check-config': { lines: 'levada worker check-config worker.properties' },
  'levada worker health': { lines: 'levada worker health --wait 60' },
  'levada connector validate': { lines: 'levada connector validate -f connectors' },
  'levada connector create': { lines: 'levada connector create -f connectors/telemetry.yaml' },
  'levada connector apply': { lines: 'levada connector apply -f connectors --dry-run' },
  'levada connector diff': { lines: 'levada connector diff -f connectors' },
  'levada connector set': { lines: 'levada connector set telemetry otlp.message.queue.size=50000' },
  'levada connector export': { lines: 'levada connector export --folder backup' },
  'levada connector restart': { lines: "levada connector restart 'tele*'" },
  'levada connector pause': { lines: 'levada connector pause telemetry' },
  'levada connector resume': { lines: 'levada connector resume telemetry' },
  'levada connector stop': { before: received, lines: 'levada connector stop telemetry' },
  'levada connector offsets get': { lines: 'levada connector offsets get telemetry --json' },
  'levada connector offsets alter': { lines: 'levada connector offsets alter telemetry -f offsets.json' },
  'levada connector offsets reset': { lines: 'levada connector offsets reset telemetry' },
  'levada connector delete': { lines: 'levada connector delete telemetry' },
  'levada get': {
    before: `levada connector apply -f connectors\n${received}`,
    lines: 'levada get connectors',
  },
  'levada describe': { lines: 'levada describe connector telemetry' },
  'levada topic list': { lines: 'levada topic list' },
  'levada topic tail': { lines: 'levada topic tail otlp-logs --no-follow' },
  'levada topic read': { lines: 'levada topic read otlp-logs -n 1' },
  'levada top': { lines: "levada top --once --connectors 'tele*'" },
  'levada logs': { lines: 'levada logs telemetry --level warn' },
  'levada logger get': { lines: 'levada logger get root' },
  'levada logger set': { lines: 'levada logger set root DEBUG' },
  'levada tap': { lines: 'levada tap telemetry --no-follow' },
  'levada doctor': { lines: 'levada doctor', notRun: 'its result depends on the machine' },
  'levada context set': { lines: 'levada context set local --url http://127.0.0.1:8083' },
  'levada context use': { lines: 'levada context use local' },
  'levada context list': { lines: 'levada context list' },
  'levada context remove': { lines: 'levada context remove local' },
  'levada plugin new': { lines: 'levada plugin new my-source --class com.example.MySource' },
  'levada project init': { lines: 'levada project init shop' },
  'levada project validate': { lines: 'levada project validate shop' },
  'levada project ls': { lines: 'levada project ls shop' },
  'levada project lineage': { lines: 'levada project lineage shop --format mermaid' },
  'levada project compile': { lines: 'levada project compile shop --out build' },
  'levada project explain': { lines: 'levada project explain LV1301' },
  'levada project explain-error': {
    lines:
      'levada project explain-error build/jobs/payments_clean.json \\\n  --dir shop --statement 1 --line 1 --column 1',
  },
  'levada project schema': { lines: 'levada project schema --out schemas' },
  'levada project fmt': { lines: 'levada project fmt shop' },
  'levada project dev': { lines: 'levada project dev shop', notRun: 'runs until it is stopped' },
  'levada completion': { lines: 'source <(levada completion bash)' },
};
