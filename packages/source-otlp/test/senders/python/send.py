"""Exports one request of each signal by the official Python exporters: python send.py grpc|http"""

import json
import logging
import math
import sys
from concurrent.futures import ThreadPoolExecutor

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.attributes import BoundedAttributes
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GrpcLogs
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter as GrpcMetrics
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcTraces
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter as HttpLogs
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter as HttpMetrics
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HttpTraces
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk.metrics import Exemplar
from opentelemetry.sdk.metrics import export as m
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.util import BoundedList
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    TraceState,
    set_span_in_context,
)

TRACE = 0x5B8EFFF798038103D269B633813FC60C
SPAN = 0xEEE19B7EC3C1B174
BEGIN = 1544712660000000001
END = 1544712661999999999

resource = Resource({"service.name": "shop"}, "https://schema.test/1")
scope = InstrumentationScope("checkout", "1.2.3", "https://schema.test/2")
region = {"region": "eu"}


def every_kind():
    kinds = {
        "bool": True,
        "bool.false": False,
        "int.highest": 2**63 - 1,
        "int.lowest": -(2**63),
        "int.zero": 0,
        "double": 0.1,
        "double.whole": 3.0,
        "double.large": 1e21,
        "double.smallest": 5e-324,
        "double.nan": math.nan,
        "double.above": math.inf,
        "double.below": -math.inf,
        "double.zero": -0.0,
        "text": "gr\u00fcn \U0001f600 \"\\/\u0000\u2028",
        "text.empty": "",
        "texts": ["a", ""],
        "ints": [1, -2],
        "doubles": [0.5],
        "bools": [True, False],
        "none": [],
        "__proto__": "plain",
    }
    return dict(sorted(kinds.items()))


def dropping(attributes, dropped):
    """Attributes of which so many did not fit."""
    more = {f"dropped {i}": i for i in range(dropped)}
    return BoundedAttributes(maxlen=len(attributes), attributes=more | attributes)


def list_dropping(items, dropped):
    """A list into which so many did not fit."""
    bounded = BoundedList(len(items))
    bounded.extend(items)
    bounded.dropped = dropped
    return bounded


def in_trace(span, state=None, flags=1):
    return SpanContext(TRACE, span, False, TraceFlags(flags), state)


def spans():
    state = TraceState([("vendor", "1"), ("other", "2")])
    return [
        ReadableSpan(
            name="buy",
            context=in_trace(SPAN, state),
            parent=in_trace(SPAN - 1),
            kind=SpanKind.SERVER,
            start_time=BEGIN,
            end_time=END,
            attributes=dropping(every_kind(), 1),
            events=list_dropping([Event("paid", dropping({"amount": 9.5}, 4), END), Event("bare", None, END)], 2),
            links=list_dropping([Link(in_trace(SPAN - 2, flags=0), dropping({"why": "batch"}, 5))], 3),
            status=Status(StatusCode.ERROR, "out of stock"),
            resource=resource,
            instrumentation_scope=scope,
        )
    ]


def metrics():
    delta, cumulative = m.AggregationTemporality.DELTA, m.AggregationTemporality.CUMULATIVE
    exemplar = Exemplar({"customer": "7"}, -3, END, SPAN, TRACE)
    orders = m.NumberDataPoint(region, BEGIN, END, 2**63 - 1, [exemplar])
    gauge = [m.NumberDataPoint({}, 0, END, value) for value in (-0.0, math.nan)]
    times = m.HistogramDataPoint(region, BEGIN, END, 3, 55.5, [1, 1, 1], [1, 10], 0.5, 50)
    sizes = m.ExponentialHistogramDataPoint(
        region, BEGIN, END, 5, 2, -1, 1, m.Buckets(-2, [1, 0, 2]), m.Buckets(3, [1]), 0, -8, 4)
    every = [
        m.Metric("orders", "Orders", "{order}", m.Sum([orders], cumulative, True)),
        m.Metric("temperature", "", "", m.Gauge(gauge)),
        m.Metric("times", "", "ms", m.Histogram([times], delta)),
        m.Metric("sizes", "", "", m.ExponentialHistogram([sizes], cumulative)),
    ]
    scoped = m.ScopeMetrics(scope, every, scope.schema_url)
    return m.MetricsData([m.ResourceMetrics(resource, [scoped], resource.schema_url)])


def logs():
    record = LogRecord(
        timestamp=BEGIN,
        observed_timestamp=END,
        context=set_span_in_context(NonRecordingSpan(in_trace(SPAN))),
        severity_text="warn",
        severity_number=SeverityNumber.WARN,
        body={"inner": {"deep": 0.5}, "items": [1, "two", True], "raw": b"\x00\xff"},
        attributes=dropping(every_kind(), 6),
        event_name="stock.low",
    )
    return [ReadableLogRecord(record, resource, scope)]


def main(transport):
    # Whatever an exporter says of a failure is in its logger, and not in what it returns.
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    grpc = transport == "grpc"
    exports = {
        "traces": (GrpcTraces if grpc else HttpTraces, spans),
        "metrics": (GrpcMetrics if grpc else HttpMetrics, metrics),
        "logs": (GrpcLogs if grpc else HttpLogs, logs),
    }
    with ThreadPoolExecutor() as threads:
        results = {
            signal: threads.submit(exporter().export, items()) for signal, (exporter, items) in exports.items()
        }
    names = {signal: result.result().name for signal, result in results.items()}
    print(json.dumps({signal: name for signal, name in names.items() if name != "SUCCESS"}))


main(sys.argv[1])
