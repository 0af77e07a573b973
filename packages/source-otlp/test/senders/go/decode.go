package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// A line of input.
type line struct {
	Signal string `json:"signal"`
	Value  string `json:"value"`
}

const longestLine = 64 << 20

// decode reads OTLP/JSON as the Collector's Kafka receiver does, and prints what it read as protobuf in base64. One line each.
func decode(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		var one line
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return err
		}
		wire, err := wireOf(one.Signal, []byte(one.Value))
		if err != nil {
			return fmt.Errorf("%s: %w", one.Signal, err)
		}
		fmt.Fprintln(out, base64.StdEncoding.EncodeToString(wire))
	}
	return lines.Err()
}

func wireOf(signal string, value []byte) ([]byte, error) {
	switch signal {
	case "traces":
		read, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(value)
		if err != nil {
			return nil, err
		}
		return (&ptrace.ProtoMarshaler{}).MarshalTraces(read)
	case "metrics":
		read, err := (&pmetric.JSONUnmarshaler{}).UnmarshalMetrics(value)
		if err != nil {
			return nil, err
		}
		return (&pmetric.ProtoMarshaler{}).MarshalMetrics(read)
	case "logs":
		read, err := (&plog.JSONUnmarshaler{}).UnmarshalLogs(value)
		if err != nil {
			return nil, err
		}
		return (&plog.ProtoMarshaler{}).MarshalLogs(read)
	}
	return nil, fmt.Errorf("no signal %q", signal)
}
