import { type DescMessage, type FileRegistry, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { messageOf, protoText } from './proto-text.ts';
import { type RandomSource, randomSource } from './random-source.ts';

/** Messages of the kind and size that services send. */
const SCHEMA = `
syntax = "proto3";
package demo;
import "google/protobuf/timestamp.proto";

message Tick {
  string symbol = 1;
  double price = 2;
  uint32 size = 3;
}

enum Side { SIDE_UNSPECIFIED = 0; SIDE_BUY = 1; SIDE_SELL = 2; }

message Trade {
  string trade_id = 1;
  string symbol = 2;
  Side side = 3;
  double price = 4;
  double quantity = 5;
  int64 sequence = 6;
  google.protobuf.Timestamp executed_at = 7;
  string venue = 8;
  string buyer_order_id = 9;
  string seller_order_id = 10;
  bool is_auction = 11;
  int32 level = 12;
  uint64 account = 13;
  repeated int32 conditions = 14;
  string note = 15;
}

message Event {
  string event_id = 1;
  string kind = 2;
  google.protobuf.Timestamp created_at = 3;
  Actor actor = 4;
  map<string, string> attributes = 5;
  repeated Measure measures = 6;
  repeated string labels = 7;
  string description = 8;
  oneof payload { string text = 9; bytes blob = 10; int64 number = 11; }
  float confidence = 12;
}

message Actor { string user_id = 1; string display_name = 2; string email = 3; uint32 roles = 4; bool verified = 5; }
message Measure { string name = 1; double value = 2; int64 at_micros = 3; }

message Order {
  string order_id = 1;
  string customer_id = 2;
  Side side = 3;
  google.protobuf.Timestamp placed_at = 4;
  repeated Line lines = 5;
  map<string, string> attributes = 6;
  Address ship_to = 7;
  Address bill_to = 8;
  int64 total_cents = 9;
  string currency = 10;
  repeated google.protobuf.Timestamp history = 11;
}

message Line {
  string sku = 1;
  string title = 2;
  uint32 quantity = 3;
  int64 price_cents = 4;
  double tax_rate = 5;
  repeated string tags = 6;
  map<string, int32> stock = 7;
  bool gift = 8;
}

message Address { string name = 1; string street = 2; string city = 3; string postal_code = 4; string country = 5; }

message TraceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }
message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }
enum SpanKind {
  SPAN_KIND_UNSPECIFIED = 0; SPAN_KIND_INTERNAL = 1; SPAN_KIND_SERVER = 2; SPAN_KIND_CLIENT = 3;
  SPAN_KIND_PRODUCER = 4; SPAN_KIND_CONSUMER = 5;
}
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  string trace_state = 3;
  bytes parent_span_id = 4;
  string name = 5;
  SpanKind kind = 6;
  fixed64 start_time_unix_nano = 7;
  fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9;
  uint32 dropped_attributes_count = 10;
  repeated SpanEvent events = 11;
  uint32 dropped_events_count = 12;
  uint32 dropped_links_count = 14;
  Status status = 15;
  fixed32 flags = 16;
}
message SpanEvent { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; }
enum StatusCode { STATUS_CODE_UNSET = 0; STATUS_CODE_OK = 1; STATUS_CODE_ERROR = 2; }
message Status { string message = 2; StatusCode code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5; bytes bytes_value = 7; }
}
message ArrayValue { repeated AnyValue values = 1; }
`;

export interface RealisticCase {
  readonly name: string;
  readonly desc: DescMessage;
  readonly registry: FileRegistry;
  /** Different messages of about the same size. */
  readonly messages: readonly Uint8Array<ArrayBuffer>[];
}

/** All cases, the same in every run. */
export function realisticCases(count = 64): RealisticCase[] {
  const registry = protoText(SCHEMA);
  const make = (name: string, type: string, draw: (random: RandomSource) => JsonValue): RealisticCase => {
    const random = randomSource(7);
    const desc = messageOf(registry, `demo.${type}`);
    const messages = Array.from({ length: count }, () =>
      Uint8Array.from(toBinary(desc, fromJson(desc, draw(random)))),
    );
    return { name, desc, registry, messages };
  };
  return [
    make('tick 20 B', 'Tick', tick),
    make('trade 200 B', 'Trade', trade),
    make('event 1 KB', 'Event', event),
    make('order 10 KB', 'Order', order),
    make('trace 25 KB, 100 spans', 'TraceRequest', trace),
  ];
}

const WORDS = 'ordinary checkout payment gateway latency widget order confirmed by customer in blue'.split(
  ' ',
);
const OTHER_WORDS = ['über', 'naïve', '"quoted"', 'a\nb', '東京'];

/** Some words. A tenth of the texts has a word that is not ASCII. */
function words(random: RandomSource, count: number): string {
  const plain = Array.from({ length: count }, () => random.pick(WORDS));
  if (random.chance(0.1)) plain[random.below(count)] = random.pick(OTHER_WORDS);
  return plain.join(' ');
}

function id(random: RandomSource, length: number): string {
  return Array.from({ length }, () => random.below(36).toString(36)).join('');
}

function cents(random: RandomSource, limit: number): number {
  return random.below(limit * 100) / 100;
}

function time(random: RandomSource): string {
  return `${new Date(1_790_000_000_000 + random.below(1e9)).toISOString().slice(0, -1)}${random.below(1000)}Z`;
}

function tick(random: RandomSource) {
  return { symbol: id(random, 6).toUpperCase(), price: cents(random, 5000), size: random.below(2000) };
}

function trade(random: RandomSource) {
  return {
    tradeId: id(random, 20),
    symbol: id(random, 6).toUpperCase(),
    side: random.pick(['SIDE_BUY', 'SIDE_SELL']),
    price: cents(random, 5000),
    quantity: random.below(100_000) / 8,
    sequence: String(10_000_000_000 + random.bits()),
    executedAt: time(random),
    venue: random.pick(['XETR', 'XNAS', 'XLON']),
    buyerOrderId: id(random, 24),
    sellerOrderId: id(random, 24),
    isAuction: random.chance(0.1),
    level: random.below(100) - 50,
    account: String(random.bits()),
    conditions: [random.below(30), random.below(300), 4],
    note: words(random, 7),
  };
}

function event(random: RandomSource) {
  const measure = () => ({
    name: random.pick(WORDS),
    value: random.bits() / 7,
    atMicros: String(1.79e15 + random.bits()),
  });
  return {
    eventId: id(random, 32),
    kind: 'com.example.checkout.completed',
    createdAt: time(random),
    actor: {
      userId: id(random, 16),
      displayName: words(random, 2),
      email: `${id(random, 9)}@example.com`,
      roles: 5,
      verified: true,
    },
    attributes: Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`attribute_${at}`, words(random, 2)]),
    ),
    measures: Array.from({ length: 6 }, measure),
    labels: Array.from({ length: 5 }, () => id(random, 10)),
    description: words(random, 44),
    text: words(random, 10),
    confidence: Math.fround(random.below(1000) / 1000),
  };
}

function order(random: RandomSource) {
  const address = () => ({
    name: words(random, 2),
    street: words(random, 3),
    city: id(random, 9),
    postalCode: '10115',
    country: 'DE',
  });
  const line = () => ({
    sku: id(random, 12),
    title: words(random, 7),
    quantity: 1 + random.below(9),
    priceCents: String(random.below(1_000_000)),
    taxRate: 0.19,
    tags: [id(random, 8), id(random, 5)],
    stock: { berlin: random.below(500), hamburg: random.below(500), munich: 0 },
    gift: random.chance(0.2),
  });
  return {
    orderId: id(random, 20),
    customerId: id(random, 16),
    side: 'SIDE_BUY',
    placedAt: time(random),
    lines: Array.from({ length: 68 }, line),
    attributes: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`key_${at}`, words(random, 3)])),
    shipTo: address(),
    billTo: address(),
    totalCents: String(random.bits()),
    currency: 'EUR',
    history: [time(random), time(random), time(random)],
  };
}

function trace(random: RandomSource) {
  const bytes = (length: number): string =>
    Buffer.from(Array.from({ length }, () => random.below(256))).toString('base64');
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const traceId = bytes(16);
  const span = () => {
    const start = 1_790_000_000_000_000_000n + BigInt(random.bits());
    return {
      traceId,
      spanId: bytes(8),
      parentSpanId: bytes(8),
      name: random.pick(['GET /api/orders/{id}', 'SELECT orders', 'publish order.created']),
      kind: random.pick(['SPAN_KIND_SERVER', 'SPAN_KIND_CLIENT', 'SPAN_KIND_PRODUCER']),
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + BigInt(random.below(1e9))),
      attributes: [
        text('http.request.method', 'GET'),
        text('server.address', `shop-${random.below(20)}.internal`),
        { key: 'http.response.status_code', value: { intValue: '200' } },
        text('http.route', '/api/orders/{id}'),
        { key: 'duration.ratio', value: { doubleValue: random.bits() / 4294967296 } },
      ],
      status: random.chance(0.1) ? { code: 'STATUS_CODE_ERROR', message: 'upstream timed out' } : {},
    };
  };
  const attributes = [
    text('service.name', 'checkout'),
    text('service.version', '1.42.0'),
    text('host.name', id(random, 12)),
  ];
  const scope = { name: '@example/instrumentation-http', version: '0.57.1' };
  const scopeSpans = [{ scope, spans: Array.from({ length: 100 }, span) }];
  return {
    resourceSpans: [
      { resource: { attributes }, scopeSpans, schemaUrl: 'https://opentelemetry.io/schemas/1.30.0' },
    ],
  };
}
