package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
)

// exporters of the three signals; each sends what story.go has of its signal.
type exporters struct {
	traces  func(context.Context) (*otlptrace.Exporter, error)
	metrics func(context.Context) (metric.Exporter, error)
	logs    func(context.Context) (sdklog.Exporter, error)
}

// Where to, TLS, headers and compression are in the environment, as for any program with these exporters. The waits
// between attempts are the exporters' own: they keep to what the receiver asks for.
var transports = map[string]exporters{
	"grpc": {
		traces: func(ctx context.Context) (*otlptrace.Exporter, error) {
			return otlptracegrpc.New(ctx, otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig{
				Enabled: true, InitialInterval: first, MaxInterval: longest, MaxElapsedTime: limit}))
		},
		metrics: func(ctx context.Context) (metric.Exporter, error) {
			return otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithRetry(otlpmetricgrpc.RetryConfig{
				Enabled: true, InitialInterval: first, MaxInterval: longest, MaxElapsedTime: limit}))
		},
		logs: func(ctx context.Context) (sdklog.Exporter, error) {
			return otlploggrpc.New(ctx, otlploggrpc.WithRetry(otlploggrpc.RetryConfig{
				Enabled: true, InitialInterval: first, MaxInterval: longest, MaxElapsedTime: limit}))
		},
	},
	"http": {
		traces: func(ctx context.Context) (*otlptrace.Exporter, error) {
			return otlptracehttp.New(ctx, otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
				Enabled: true, InitialInterval: first, MaxInterval: longest, MaxElapsedTime: limit}))
		},
		metrics: func(ctx context.Context) (metric.Exporter, error) {
			return otlpmetrichttp.New(ctx, otlpmetrichttp.WithRetry(otlpmetrichttp.RetryConfig{
				Enabled: true, InitialInterval: first, MaxInterval: longest, MaxElapsedTime: limit}))
		},
		logs: func(ctx context.Context) (sdklog.Exporter, error) {
			return otlploghttp.New(ctx, otlploghttp.WithRetry(otlploghttp.RetryConfig{
				Enabled: true, InitialInterval: first, MaxInterval: longest, MaxElapsedTime: limit}))
		},
	},
}

const (
	first   = 100 * time.Millisecond
	longest = time.Second
	limit   = 20 * time.Second
)

// send exports all three signals at once, and prints the error of each that failed.
func send(transport string) error {
	by, known := transports[transport]
	if !known {
		return fmt.Errorf("no transport %q", transport)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	failed := map[string]string{}
	var mutex sync.Mutex
	var all sync.WaitGroup
	for signal, export := range map[string]func() error{
		"traces":  func() error { return sendTraces(ctx, by) },
		"metrics": func() error { return sendMetrics(ctx, by) },
		"logs":    func() error { return sendLogs(ctx, by) },
	} {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := export(); err != nil {
				mutex.Lock()
				defer mutex.Unlock()
				failed[signal] = err.Error()
			}
		}()
	}
	all.Wait()
	return json.NewEncoder(os.Stdout).Encode(failed)
}

func sendTraces(ctx context.Context, by exporters) error {
	exporter, err := by.traces(ctx)
	if err != nil {
		return err
	}
	defer exporter.Shutdown(ctx)
	return exporter.ExportSpans(ctx, spans())
}

func sendMetrics(ctx context.Context, by exporters) error {
	exporter, err := by.metrics(ctx)
	if err != nil {
		return err
	}
	defer exporter.Shutdown(ctx)
	return exporter.Export(ctx, metrics())
}

func sendLogs(ctx context.Context, by exporters) error {
	exporter, err := by.logs(ctx)
	if err != nil {
		return err
	}
	defer exporter.Shutdown(ctx)
	return exporter.Export(ctx, logs())
}
