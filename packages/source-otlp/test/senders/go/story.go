package main

import (
	"math"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/log/logtest"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// What all programs here send; story.ts has it as OTLP/JSON.
var (
	from     = resource.NewWithAttributes("https://schema.test/1", attribute.String("service.name", "shop"))
	scope    = instrumentation.Scope{Name: "checkout", Version: "1.2.3", SchemaURL: "https://schema.test/2"}
	traceID  = trace.TraceID{0x5b, 0x8e, 0xff, 0xf7, 0x98, 0x03, 0x81, 0x03, 0xd2, 0x69, 0xb6, 0x33, 0x81, 0x3f, 0xc6, 0x0c}
	spanID   = trace.SpanID{0xee, 0xe1, 0x9b, 0x7e, 0xc3, 0xc1, 0xb1, 0x74}
	parentID = trace.SpanID{0xee, 0xe1, 0x9b, 0x7e, 0xc3, 0xc1, 0xb1, 0x73}
	linkedID = trace.SpanID{0xee, 0xe1, 0x9b, 0x7e, 0xc3, 0xc1, 0xb1, 0x72}
	begin    = time.Unix(1544712660, 1)
	end      = time.Unix(1544712661, 999999999)
)

func everyKind() []attribute.KeyValue {
	kinds := []attribute.KeyValue{
		attribute.Bool("bool", true),
		attribute.Bool("bool.false", false),
		attribute.Int64("int.highest", math.MaxInt64),
		attribute.Int64("int.lowest", math.MinInt64),
		attribute.Int64("int.zero", 0),
		attribute.Float64("double", 0.1),
		attribute.Float64("double.whole", 3),
		attribute.Float64("double.large", 1e21),
		attribute.Float64("double.smallest", 5e-324),
		attribute.Float64("double.nan", math.NaN()),
		attribute.Float64("double.above", math.Inf(1)),
		attribute.Float64("double.below", math.Inf(-1)),
		attribute.Float64("double.zero", math.Copysign(0, -1)),
		attribute.String("text", "gr\u00fcn \U0001f600 \"\\/\u0000\u2028"),
		attribute.String("text.empty", ""),
		attribute.StringSlice("texts", []string{"a", ""}),
		attribute.Int64Slice("ints", []int64{1, -2}),
		attribute.Float64Slice("doubles", []float64{0.5}),
		attribute.BoolSlice("bools", []bool{true, false}),
		attribute.StringSlice("none", []string{}),
		attribute.String("__proto__", "plain"),
	}
	slices.SortFunc(kinds, func(a, b attribute.KeyValue) int { return strings.Compare(string(a.Key), string(b.Key)) })
	return kinds
}

func spans() []sdktrace.ReadOnlySpan {
	state, _ := trace.ParseTraceState("vendor=1,other=2")
	in := func(span trace.SpanID, flags trace.TraceFlags) trace.SpanContext {
		return trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: traceID, SpanID: span, TraceFlags: flags, TraceState: state})
	}
	return tracetest.SpanStubs{{
		Name:        "buy",
		SpanContext: in(spanID, 0),
		Parent:      in(parentID, trace.FlagsSampled),
		SpanKind:    trace.SpanKindServer,
		StartTime:   begin,
		EndTime:     end,
		Attributes:  everyKind(),
		Events: []sdktrace.Event{
			{Name: "paid", Time: end, Attributes: []attribute.KeyValue{attribute.Float64("amount", 9.5)}, DroppedAttributeCount: 4},
			{Name: "bare", Time: end},
		},
		Links: []sdktrace.Link{{
			SpanContext: in(linkedID, 0), Attributes: []attribute.KeyValue{attribute.String("why", "batch")}, DroppedAttributeCount: 5}},
		Status:               sdktrace.Status{Code: codes.Error, Description: "out of stock"},
		DroppedAttributes:    1,
		DroppedEvents:        2,
		DroppedLinks:         3,
		Resource:             from,
		InstrumentationScope: scope,
	}}.Snapshots()
}

func metrics() *metricdata.ResourceMetrics {
	region := attribute.NewSet(attribute.String("region", "eu"))
	return &metricdata.ResourceMetrics{Resource: from, ScopeMetrics: []metricdata.ScopeMetrics{{
		Scope: scope,
		Metrics: []metricdata.Metrics{
			{Name: "orders", Description: "Orders", Unit: "{order}", Data: metricdata.Sum[int64]{
				Temporality: metricdata.CumulativeTemporality, IsMonotonic: true,
				DataPoints: []metricdata.DataPoint[int64]{{
					Attributes: region, StartTime: begin, Time: end, Value: math.MaxInt64,
					Exemplars: []metricdata.Exemplar[int64]{{
						FilteredAttributes: []attribute.KeyValue{attribute.String("customer", "7")},
						Time:               end, Value: -3, SpanID: spanID[:], TraceID: traceID[:]}},
				}}}},
			{Name: "temperature", Data: metricdata.Gauge[float64]{
				DataPoints: []metricdata.DataPoint[float64]{
					{Time: end, Value: math.Copysign(0, -1)},
					{Time: end, Value: math.NaN()},
				}}},
			{Name: "times", Unit: "ms", Data: metricdata.Histogram[float64]{
				Temporality: metricdata.DeltaTemporality,
				DataPoints: []metricdata.HistogramDataPoint[float64]{{
					Attributes: region, StartTime: begin, Time: end, Count: 3, Sum: 55.5,
					Bounds: []float64{1, 10}, BucketCounts: []uint64{1, 1, 1},
					Min: metricdata.NewExtrema(0.5), Max: metricdata.NewExtrema(50.0),
				}}}},
			{Name: "sizes", Data: metricdata.ExponentialHistogram[float64]{
				Temporality: metricdata.CumulativeTemporality,
				DataPoints: []metricdata.ExponentialHistogramDataPoint[float64]{{
					Attributes: region, StartTime: begin, Time: end, Count: 5, Sum: 2, Scale: -1, ZeroCount: 1,
					PositiveBucket: metricdata.ExponentialBucket{Offset: -2, Counts: []uint64{1, 0, 2}},
					NegativeBucket: metricdata.ExponentialBucket{Offset: 3, Counts: []uint64{1}},
					Min:            metricdata.NewExtrema(-8.0), Max: metricdata.NewExtrema(4.0),
				}}}},
		},
	}}}
}

func logs() []sdklog.Record {
	return []sdklog.Record{logtest.RecordFactory{
		EventName:         "stock.low",
		Timestamp:         begin,
		ObservedTimestamp: end,
		Severity:          log.SeverityWarn,
		SeverityText:      "warn",
		Body: attribute.MapValue(
			attribute.Map("inner", attribute.Float64("deep", 0.5)),
			attribute.Slice("items", attribute.Int64Value(1), attribute.StringValue("two"), attribute.BoolValue(true)),
			attribute.ByteSlice("raw", []byte{0, 255}),
		),
		Attributes:           everyKind(),
		TraceID:              traceID,
		SpanID:               spanID,
		TraceFlags:           trace.FlagsSampled,
		Resource:             from,
		InstrumentationScope: &scope,
		DroppedAttributes:    6,
	}.NewRecord()}
}
